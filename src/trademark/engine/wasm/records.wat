;; Reads `<case-file>` records of the register and writes each as the body that records/body.ts describes.
;;
;; Only plain records are read: tags without attributes, ASCII texts without superfluous white space, no entity but the five of
;; XML, a serial number and a status in full, goods without marks of deletion. At any other record, also at a damaged one,
;; `read` stops, and the caller reads it with extract.ts, which defines what a record means.
;;
;; Memory below `ends`:
;;   slots    at 0x0000, 512 bytes: the tag number for each value of `$slot`; 0 if no name has it
;;   names    at 0x0200, 64 bytes for each tag number: the name, at 56 its length, at 60 one if it contains elements
;;   stack    at 0x0a00, 16 bytes for each open element: address and length of its name, tag number
;;   ranges   at 0x0e00, 8 bytes for each tag number: begin and end of the text of that field
;;   events   at 0x0f00, 24 bytes for each of the latest five: day and number as one key, begin, end, begin of the date
;;   goods    at 0x1000, 8 bytes for each statement: begin and end of its text
;;   pseudo   at 0x1200, 8 bytes for each pseudo mark: begin and end of its text
;;   classes  at 0x1300, 4 bytes for each class: its three digits
;;   kept     at 0x1400, 8 bytes for each different text of goods or pseudo mark: begin and end of the copy
;;   lengths  at 0x1800, 4 bytes for each text of the body
;;   ends     at 0x2000, 4 bytes for each record: the end of its body
(module
  (import "host" "memory" (memory 1))
  ;; Work space for the texts of one record, and for its goods; each as long as the input.
  (global $texts (export "texts") (mut i32) (i32.const 0))
  (global $statements (export "statements") (mut i32) (i32.const 0))
  ;; Where the next body is written, and the number of bodies.
  (global $out (export "out") (mut i32) (i32.const 0))
  (global $count (export "count") (mut i32) (i32.const 0))
  (global $maxCount (export "maxCount") (mut i32) (i32.const 0))

  ;; The record that is being read. Times and numbers that are missing are 0 and -1.
  (global $goods (mut i32) (i32.const 0))
  (global $pseudo (mut i32) (i32.const 0))
  (global $classes (mut i32) (i32.const 0))
  (global $events (mut i32) (i32.const 0))
  (global $kind (mut i32) (i32.const 0))
  (global $statement (mut i32) (i32.const 0))
  (global $statementEnd (mut i32) (i32.const 0))
  (global $day (mut i32) (i32.const 0))
  (global $dayBegin (mut i32) (i32.const 0))
  (global $number (mut i32) (i32.const -1))
  (global $description (mut i32) (i32.const 0))
  (global $descriptionEnd (mut i32) (i32.const 0))
  (global $name (mut i32) (i32.const 0))
  (global $nameEnd (mut i32) (i32.const 0))
  (global $type (mut i32) (i32.const -1))
  (global $entry (mut i32) (i32.const -1))
  (global $owner (mut i32) (i32.const 0))
  (global $ownerEnd (mut i32) (i32.const 0))
  (global $ownerType (mut i32) (i32.const -1))
  (global $ownerEntry (mut i32) (i32.const -1))
  ;; Where the next text is written, and the next length.
  (global $to (mut i32) (i32.const 0))
  (global $length (mut i32) (i32.const 0))

  ;; Compares bytes, eight at a time; of the last eight only as many as are left.
  (func $same (param $a i32) (param $b i32) (param $length i32) (result i32)
    (loop $next
      (if (i32.le_u (local.get $length) (i32.const 8))
        (then
          (return
            (i32.or
              (i32.eqz (local.get $length))
              (i64.eqz
                (i64.shl
                  (i64.xor (i64.load (local.get $a)) (i64.load (local.get $b)))
                  (i64.extend_i32_u (i32.shl (i32.sub (i32.const 8) (local.get $length)) (i32.const 3)))))))))
      (if (i64.ne (i64.load (local.get $a)) (i64.load (local.get $b))) (then (return (i32.const 0))))
      (local.set $a (i32.add (local.get $a) (i32.const 8)))
      (local.set $b (i32.add (local.get $b) (i32.const 8)))
      (local.set $length (i32.sub (local.get $length) (i32.const 8)))
      (br $next))
    (unreachable))

  ;; The bits above each byte of $word that is zero; only the lowest is reliable.
  (func $zeroes (param $word i64) (result i64)
    (i64.and
      (i64.and (i64.sub (local.get $word) (i64.const 0x0101010101010101)) (i64.xor (local.get $word) (i64.const -1)))
      (i64.const 0x8080808080808080)))

  ;; The address of the next `<`.
  (func $nextTag (param $at i32) (result i32)
    (local $marks i64)
    (loop $next
      (local.set $marks (call $zeroes (i64.xor (i64.load (local.get $at)) (i64.const 0x3c3c3c3c3c3c3c3c))))
      (if (i64.eqz (local.get $marks))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $next))))
    (i32.add (local.get $at) (i32.wrap_i64 (i64.shr_u (i64.ctz (local.get $marks)) (i64.const 3)))))

  ;; The address of the next `>`, `/`, space or control character.
  (func $endOfName (param $at i32) (result i32)
    (local $word i64) (local $marks i64)
    (loop $next
      (local.set $word (i64.load (local.get $at)))
      (local.set $marks
        (i64.or
          (i64.or
            (call $zeroes (i64.xor (local.get $word) (i64.const 0x3e3e3e3e3e3e3e3e)))
            (call $zeroes (i64.xor (local.get $word) (i64.const 0x2f2f2f2f2f2f2f2f))))
          (i64.and
            (i64.and
              (i64.sub (local.get $word) (i64.const 0x2121212121212121))
              (i64.xor (local.get $word) (i64.const -1)))
            (i64.const 0x8080808080808080))))
      (if (i64.eqz (local.get $marks))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $next))))
    (i32.add (local.get $at) (i32.wrap_i64 (i64.shr_u (i64.ctz (local.get $marks)) (i64.const 3)))))

  ;; A hash of 9 bits, of the first and the last eight bytes of a name and of its length.
  (func $slot (export "slot") (param $name i32) (param $length i32) (result i32)
    (local $first i64) (local $last i64)
    (local.set $first (i64.load (local.get $name)))
    (if (i32.lt_u (local.get $length) (i32.const 8))
      (then
        (local.set $first
          (i64.and
            (local.get $first)
            (i64.sub
              (i64.shl (i64.const 1) (i64.extend_i32_u (i32.shl (local.get $length) (i32.const 3))))
              (i64.const 1)))))
      (else
        (local.set $last
          (i64.load (i32.sub (i32.add (local.get $name) (local.get $length)) (i32.const 8))))))
    (i32.wrap_i64
      (i64.shr_u
        (i64.mul
          (i64.add
            (i64.xor (local.get $first) (i64.rotl (local.get $last) (i64.const 1)))
            (i64.extend_i32_u (local.get $length)))
          (i64.const 0x9e3779b97f4a7c15))
        (i64.const 55))))

  ;; The tag number of a name; 0 for a name that is not in the table.
  (func $tag (param $name i32) (param $length i32) (result i32)
    (local $tag i32) (local $known i32)
    (local.set $tag (i32.load8_u (call $slot (local.get $name) (local.get $length))))
    (if (i32.eqz (local.get $tag)) (then (return (i32.const 0))))
    (local.set $known (i32.add (i32.const 0x200) (i32.shl (local.get $tag) (i32.const 6))))
    (if (i32.ne (i32.load offset=56 (local.get $known)) (local.get $length)) (then (return (i32.const 0))))
    (select
      (local.get $tag)
      (i32.const 0)
      (call $same (local.get $known) (local.get $name) (local.get $length))))

  (func $isDigits (param $at i32) (param $end i32) (result i32)
    (block $no
      (loop $next
        (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 1))))
        (br_if $no (i32.gt_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 48)) (i32.const 9)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.const 0))

  ;; The whole number in a text; -1 if it is empty, -2 if it has to be read by the caller.
  (func $numberOf (param $at i32) (param $end i32) (result i32)
    (local $value i32)
    (if (i32.eq (local.get $at) (local.get $end)) (then (return (i32.const -1))))
    (if (i32.gt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 9)) (then (return (i32.const -2))))
    (if (i32.eqz (call $isDigits (local.get $at) (local.get $end))) (then (return (i32.const -2))))
    (loop $next
      (local.set $value
        (i32.add
          (i32.mul (local.get $value) (i32.const 10))
          (i32.sub (i32.load8_u (local.get $at)) (i32.const 48))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $value))

  ;; The day in a text, as numbers.ts does it: 0 if there is no such day, -2 if it has to be read by the caller.
  (func $dayOf (param $at i32) (param $end i32) (result i32)
    (local $word i64) (local $value i32) (local $month i32) (local $day i32) (local $year i32)
    (if (i32.eq (local.get $at) (local.get $end)) (then (return (i32.const 0))))
    (if (i32.ne (i32.sub (local.get $end) (local.get $at)) (i32.const 8)) (then (return (i32.const -2))))
    (local.set $word (i64.load (local.get $at)))
    ;; Each byte is a digit: its upper half is 3, also after six is added.
    (if
      (i64.ne
        (i64.or
          (i64.and (local.get $word) (i64.const 0xf0f0f0f0f0f0f0f0))
          (i64.shr_u
            (i64.and
              (i64.add (local.get $word) (i64.const 0x0606060606060606))
              (i64.const 0xf0f0f0f0f0f0f0f0))
            (i64.const 4)))
        (i64.const 0x3333333333333333))
      (then (return (i32.const -2))))
    ;; Pairs of digits, then pairs of pairs.
    (local.set $word (i64.sub (local.get $word) (i64.const 0x3030303030303030)))
    (local.set $word
      (i64.add (i64.mul (local.get $word) (i64.const 10)) (i64.shr_u (local.get $word) (i64.const 8))))
    (local.set $value
      (i32.wrap_i64
        (i64.shr_u
          (i64.add
            (i64.mul (i64.and (local.get $word) (i64.const 0x000000ff000000ff)) (i64.const 0x000f424000000064))
            (i64.mul
              (i64.and (i64.shr_u (local.get $word) (i64.const 16)) (i64.const 0x000000ff000000ff))
              (i64.const 0x0000271000000001)))
          (i64.const 32))))
    (local.set $year (i32.div_u (local.get $value) (i32.const 10000)))
    (local.set $month
      (i32.div_u
        (i32.sub (local.get $value) (i32.mul (local.get $year) (i32.const 10000)))
        (i32.const 100)))
    (local.set $day (i32.rem_u (local.get $value) (i32.const 100)))
    (if
      (i32.or
        (i32.or (i32.eqz (local.get $year)) (i32.eqz (local.get $day)))
        (i32.or (i32.eqz (local.get $month)) (i32.gt_u (local.get $month) (i32.const 12))))
      (then (return (i32.const 0))))
    (if (i32.gt_u (local.get $day) (call $daysIn (local.get $year) (local.get $month)))
      (then (return (i32.const 0))))
    (local.get $value))

  (func $daysIn (param $year i32) (param $month i32) (result i32)
    (if (i32.ne (local.get $month) (i32.const 2))
      (then
        (return
          (i32.add
            (i32.const 30)
            (i32.and
              (i32.add (local.get $month) (i32.shr_u (local.get $month) (i32.const 3)))
              (i32.const 1))))))
    (if (i32.and (local.get $year) (i32.const 3)) (then (return (i32.const 28))))
    (if (i32.rem_u (local.get $year) (i32.const 100)) (then (return (i32.const 29))))
    (select (i32.const 28) (i32.const 29) (i32.rem_u (local.get $year) (i32.const 400))))

  ;; An element that has text only. Returns 1 if the caller has to read the record.
  (func $leaf (param $tag i32) (param $parent i32) (param $at i32) (param $end i32) (result i32)
    (local $range i32)
    (block $classification
      (block $owner
        (block $statement
          (block $event
            (block $header
              (block $caseFile
                (block $none
                  (br_table
                    $none $caseFile $none $none $header $none $none $none $none $none $none $none $none $statement $none
                    $none $event $none $none $none $classification $none $owner $none
                    (local.get $parent)))
                (return (i32.const 0)))
              ;; Of the record itself, the serial number (2) and the transaction date (3).
              (if (i32.gt_u (i32.sub (local.get $tag) (i32.const 2)) (i32.const 1)) (then (return (i32.const 0))))
              (local.set $range (i32.add (i32.const 0xe00) (i32.shl (local.get $tag) (i32.const 3))))
              (i32.store (local.get $range) (local.get $at))
              (i32.store offset=4 (local.get $range) (local.get $end))
              (return (i32.const 0)))
            ;; Of the header, filing-date (5) to renewal-date (12).
            (if (i32.gt_u (i32.sub (local.get $tag) (i32.const 5)) (i32.const 7)) (then (return (i32.const 0))))
            (local.set $range (i32.add (i32.const 0xe00) (i32.shl (local.get $tag) (i32.const 3))))
            (i32.store (local.get $range) (local.get $at))
            (i32.store offset=4 (local.get $range) (local.get $end))
            (return (i32.const 0)))
          ;; description-text (17), date (18), number (19)
          (if (i32.eq (local.get $tag) (i32.const 17))
            (then
              (global.set $description (local.get $at))
              (global.set $descriptionEnd (local.get $end))))
          (if (i32.eq (local.get $tag) (i32.const 18))
            (then
              (global.set $day (call $dayOf (local.get $at) (local.get $end)))
              (global.set $dayBegin (local.get $at))
              (return (i32.eq (global.get $day) (i32.const -2)))))
          (if (i32.eq (local.get $tag) (i32.const 19))
            (then
              (global.set $number (call $numberOf (local.get $at) (local.get $end)))
              (return (i32.eq (global.get $number) (i32.const -2)))))
          (return (i32.const 0)))
        (return (call $statementField (local.get $tag) (local.get $at) (local.get $end))))
      ;; entry-number (23), party-type (24), party-name (25)
      (if (i32.eq (local.get $tag) (i32.const 23))
        (then
          (global.set $entry (call $numberOf (local.get $at) (local.get $end)))
          (return (i32.eq (global.get $entry) (i32.const -2)))))
      (if (i32.eq (local.get $tag) (i32.const 24))
        (then
          (global.set $type (call $numberOf (local.get $at) (local.get $end)))
          (return (i32.eq (global.get $type) (i32.const -2)))))
      (if (i32.eq (local.get $tag) (i32.const 25))
        (then
          (global.set $name (local.get $at))
          (global.set $nameEnd (local.get $end))
          ;; Only a text that begins with a letter or sign is certainly not empty.
          (if (i32.lt_u (local.get $at) (local.get $end))
            (then (return (i32.eqz (call $isSign (i32.load8_u (local.get $at)))))))))
      (return (i32.const 0)))
    ;; international-code (21)
    (if (i32.ne (local.get $tag) (i32.const 21)) (then (return (i32.const 0))))
    (call $class (local.get $at) (local.get $end)))

  ;; Whether a byte is a visible ASCII character that stands for itself.
  (func $isSign (param $byte i32) (result i32)
    (i32.and
      (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x21)) (i32.const 0x5e))
      (i32.ne (local.get $byte) (i32.const 38))))

  ;; type-code (14), text (15)
  (func $statementField (param $tag i32) (param $at i32) (param $end i32) (result i32)
    (if (i32.eq (local.get $tag) (i32.const 14))
      (then
        (if
          (i32.or
            (i32.ne (global.get $kind) (i32.const 0))
            (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 2)))
          (then (return (i32.const 1))))
        (if
          (i32.eqz
            (i32.and
              (call $isSign (i32.load8_u (local.get $at)))
              (call $isSign (i32.load8_u offset=1 (local.get $at)))))
          (then (return (i32.const 1))))
        (global.set $kind (i32.load16_u (local.get $at)))
        ;; The rest of a long mark (MK) is rare.
        (return (i32.eq (global.get $kind) (i32.const 0x4b4d)))))
    (if (i32.ne (local.get $tag) (i32.const 15)) (then (return (i32.const 0))))
    ;; GS and PM
    (if
      (i32.and
        (i32.ne (global.get $kind) (i32.const 0x5347))
        (i32.ne (global.get $kind) (i32.const 0x4d50)))
      (then (return (i32.const 0))))
    (if (i32.ne (global.get $statement) (i32.const 0)) (then (return (i32.const 1))))
    (global.set $statement (local.get $at))
    (global.set $statementEnd (local.get $end))
    (i32.const 0))

  (func $class (param $at i32) (param $end i32) (result i32)
    (local $code i32) (local $known i32)
    (if (i32.eq (local.get $at) (local.get $end)) (then (return (i32.const 0))))
    (if (i32.ne (i32.sub (local.get $end) (local.get $at)) (i32.const 3)) (then (return (i32.const 1))))
    (if (i32.eqz (call $isDigits (local.get $at) (local.get $end))) (then (return (i32.const 1))))
    (local.set $code (i32.and (i32.load (local.get $at)) (i32.const 0xffffff)))
    ;; 000 is no class.
    (if (i32.eq (local.get $code) (i32.const 0x303030)) (then (return (i32.const 0))))
    (local.set $known (i32.add (i32.const 0x1300) (i32.shl (global.get $classes) (i32.const 2))))
    (i32.store (local.get $known) (local.get $code))
    (loop $next
      (if (i32.gt_u (local.get $known) (i32.const 0x1300))
        (then
          (local.set $known (i32.sub (local.get $known) (i32.const 4)))
          (if (i32.eq (i32.load (local.get $known)) (local.get $code)) (then (return (i32.const 0))))
          (br $next))))
    (global.set $classes (i32.add (global.get $classes) (i32.const 1)))
    (i32.eq (global.get $classes) (i32.const 63)))

  ;; The end of an element that contains elements. Returns 1 if the caller has to read the record.
  (func $group (param $tag i32) (result i32)
    (if (i32.eq (local.get $tag) (i32.const 16))
      (then
        (call $endEvent)
        (return (i32.const 0))))
    (if (i32.eq (local.get $tag) (i32.const 13)) (then (return (call $endStatement))))
    (if (i32.eq (local.get $tag) (i32.const 22)) (then (call $endOwner)))
    (i32.const 0))

  (func $endStatement (result i32)
    (local $range i32) (local $full i32)
    (if (i32.lt_u (global.get $statement) (global.get $statementEnd))
      (then
        (if (i32.eq (global.get $kind) (i32.const 0x5347))
          (then
            (local.set $range (i32.add (i32.const 0x1000) (i32.shl (global.get $goods) (i32.const 3))))
            (global.set $goods (i32.add (global.get $goods) (i32.const 1)))
            (local.set $full (i32.eq (global.get $goods) (i32.const 63))))
          (else
            (local.set $range (i32.add (i32.const 0x1200) (i32.shl (global.get $pseudo) (i32.const 3))))
            (global.set $pseudo (i32.add (global.get $pseudo) (i32.const 1)))
            (local.set $full (i32.eq (global.get $pseudo) (i32.const 31)))))
        (i32.store (local.get $range) (global.get $statement))
        (i32.store offset=4 (local.get $range) (global.get $statementEnd))))
    (global.set $kind (i32.const 0))
    (global.set $statement (i32.const 0))
    (global.set $statementEnd (i32.const 0))
    (local.get $full))

  (func $endOwner
    (if
      (i32.and
        (i32.lt_u (global.get $name) (global.get $nameEnd))
        (i32.or
          (i32.or
            (i32.eqz (global.get $owner))
            (i32.gt_s (global.get $type) (global.get $ownerType)))
          (i32.and
            (i32.eq (global.get $type) (global.get $ownerType))
            (i32.ge_s (global.get $entry) (global.get $ownerEntry)))))
      (then
        (global.set $owner (global.get $name))
        (global.set $ownerEnd (global.get $nameEnd))
        (global.set $ownerType (global.get $type))
        (global.set $ownerEntry (global.get $entry))))
    (call $forgetOwner))

  (func $forgetOwner
    (global.set $name (i32.const 0))
    (global.set $nameEnd (i32.const 0))
    (global.set $type (i32.const -1))
    (global.set $entry (i32.const -1)))

  ;; Keeps an event if it is one of the latest five; of equals the first one is the later.
  (func $endEvent
    (local $key i64) (local $place i32)
    (block $done
      (br_if $done (i32.eqz (global.get $day)))
      (br_if $done (i32.ge_u (global.get $description) (global.get $descriptionEnd)))
      (local.set $key
        (i64.or
          (i64.shl (i64.extend_i32_u (global.get $day)) (i64.const 32))
          (i64.extend_i32_u (i32.add (global.get $number) (i32.const 1)))))
      (if (i32.eq (global.get $events) (i32.const 5))
        (then (br_if $done (i64.le_u (local.get $key) (i64.load (i32.const 0xf60)))))
        (else (global.set $events (i32.add (global.get $events) (i32.const 1)))))
      ;; 0xf00 + 24 * (events - 1)
      (local.set $place (i32.add (i32.const 0xee8) (i32.mul (global.get $events) (i32.const 24))))
      (block $here
        (loop $down
          (br_if $here (i32.eq (local.get $place) (i32.const 0xf00)))
          (br_if $here (i64.le_u (local.get $key) (i64.load (i32.sub (local.get $place) (i32.const 24)))))
          (memory.copy (local.get $place) (i32.sub (local.get $place) (i32.const 24)) (i32.const 24))
          (local.set $place (i32.sub (local.get $place) (i32.const 24)))
          (br $down)))
      (i64.store (local.get $place) (local.get $key))
      (i32.store offset=8 (local.get $place) (global.get $description))
      (i32.store offset=12 (local.get $place) (global.get $descriptionEnd))
      (i32.store offset=16 (local.get $place) (global.get $dayBegin)))
    (call $forgetEvent))

  (func $forgetEvent
    (global.set $day (i32.const 0))
    (global.set $number (i32.const -1))
    (global.set $description (i32.const 0))
    (global.set $descriptionEnd (i32.const 0)))

  (func $reset
    (memory.fill (i32.const 0xe00) (i32.const 0) (i32.const 0x100))
    (global.set $goods (i32.const 0))
    (global.set $pseudo (i32.const 0))
    (global.set $classes (i32.const 0))
    (global.set $events (i32.const 0))
    (global.set $kind (i32.const 0))
    (global.set $statement (i32.const 0))
    (global.set $statementEnd (i32.const 0))
    (global.set $owner (i32.const 0))
    (global.set $ownerEnd (i32.const 0))
    (global.set $ownerType (i32.const -1))
    (global.set $ownerEntry (i32.const -1))
    (call $forgetOwner)
    (call $forgetEvent))

  ;; Copies a text to `$to`, as textOf of markup.ts decodes it. Returns 1 if the caller has to read the record.
  (func $text (param $at i32) (param $end i32) (result i32)
    (local $block v128) (local $blanks v128) (local $byte i32) (local $stop i32) (local $to i32)
    (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
    (if
      (i32.or
        (i32.eq (i32.load8_u (local.get $at)) (i32.const 32))
        (i32.eq (i32.load8_u (i32.sub (local.get $end) (i32.const 1))) (i32.const 32)))
      (then (return (i32.const 1))))
    (local.set $to (global.get $to))
    (block $done
      (loop $blocks
        (local.set $stop (i32.add (local.get $at) (i32.const 16)))
        (if (i32.le_u (local.get $stop) (local.get $end))
          (then
            (local.set $block (v128.load (local.get $at)))
            (local.set $blanks (i8x16.eq (local.get $block) (v128.const i8x16 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32)))
            ;; Not a control character, DEL, `&`, a byte above 127, or the second of two blanks.
            (if
              (i32.eqz
                (v128.any_true
                  (v128.or
                    (v128.or
                      (i8x16.lt_s (local.get $block) (v128.const i8x16 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32))
                      (i8x16.eq
                        (local.get $block)
                        (v128.const i8x16 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127 127)))
                    (v128.or
                      (i8x16.eq (local.get $block) (v128.const i8x16 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38))
                      (v128.and
                        (local.get $blanks)
                        (i8x16.eq
                          (v128.load (i32.sub (local.get $at) (i32.const 1)))
                          (v128.const i8x16 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32)))))))
              (then
                (v128.store (local.get $to) (local.get $block))
                (local.set $to (i32.add (local.get $to) (i32.const 16)))
                (local.set $at (local.get $stop))
                (br $blocks))))
          (else (local.set $stop (local.get $end))))
        (loop $bytes
          (br_if $done (i32.eq (local.get $at) (local.get $end)))
          ;; An entity may have ended behind the block.
          (br_if $blocks (i32.ge_u (local.get $at) (local.get $stop)))
          (local.set $byte (i32.load8_u (local.get $at)))
          (if (i32.eqz (call $isSign (local.get $byte)))
            (then
              (if (i32.eq (local.get $byte) (i32.const 38))
                (then
                  (local.set $byte (call $entity (i32.add (local.get $at) (i32.const 1))))
                  (if (i32.eqz (local.get $byte)) (then (return (i32.const 1))))
                  ;; $entity gives the length of the name in the second byte.
                  (local.set $at (i32.add (local.get $at) (i32.add (i32.shr_u (local.get $byte) (i32.const 8)) (i32.const 1)))))
                (else
                  (if
                    (i32.or
                      (i32.ne (local.get $byte) (i32.const 32))
                      (i32.eq (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 32)))
                    (then (return (i32.const 1))))))))
          (i32.store8 (local.get $to) (local.get $byte))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $bytes))))
    (global.set $to (local.get $to))
    (i32.const 0))

  ;; The character of an entity whose name begins at $at, plus 256 times the length of the name; 0 if it is not one of the five.
  (func $entity (param $at i32) (result i32)
    (local $word i32)
    (local.set $word (i32.load (local.get $at)))
    ;; amp;
    (if (i32.eq (local.get $word) (i32.const 0x3b706d61)) (then (return (i32.const 0x326))))
    ;; lt; gt;
    (if (i32.eq (i32.and (local.get $word) (i32.const 0xffffff)) (i32.const 0x3b746c)) (then (return (i32.const 0x23c))))
    (if (i32.eq (i32.and (local.get $word) (i32.const 0xffffff)) (i32.const 0x3b7467)) (then (return (i32.const 0x23e))))
    (if (i32.ne (i32.load8_u offset=4 (local.get $at)) (i32.const 59)) (then (return (i32.const 0))))
    ;; quot; apos;
    (if (i32.eq (local.get $word) (i32.const 0x746f7571)) (then (return (i32.const 0x422))))
    (if (i32.eq (local.get $word) (i32.const 0x736f7061)) (then (return (i32.const 0x427))))
    (i32.const 0))

  (func $putLength (param $value i32)
    (i32.store (global.get $length) (local.get $value))
    (global.set $length (i32.add (global.get $length) (i32.const 4))))

  ;; Copies one text of the body.
  (func $put (param $at i32) (param $end i32) (result i32)
    (local $before i32)
    (local.set $before (global.get $to))
    (if (call $text (local.get $at) (local.get $end)) (then (return (i32.const 1))))
    (call $putLength (i32.sub (global.get $to) (local.get $before)))
    (i32.const 0))

  (func $begin (param $tag i32) (result i32)
    (i32.load (i32.add (i32.const 0xe00) (i32.shl (local.get $tag) (i32.const 3)))))
  (func $end (param $tag i32) (result i32)
    (i32.load offset=4 (i32.add (i32.const 0xe00) (i32.shl (local.get $tag) (i32.const 3)))))

  ;; Whether the text from $from to `$to` is one of the $count texts of `kept`; if not, it is added.
  (func $isKnown (param $from i32) (param $count i32) (result i32)
    (local $at i32) (local $length i32) (local $last i32)
    (local.set $length (i32.sub (global.get $to) (local.get $from)))
    (local.set $last (i32.add (i32.const 0x1400) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $at (i32.const 0x1400))
    (block $new
      (loop $next
        (br_if $new (i32.eq (local.get $at) (local.get $last)))
        (if
          (i32.eq
            (i32.sub (i32.load offset=4 (local.get $at)) (i32.load (local.get $at)))
            (local.get $length))
          (then
            (if (call $same (i32.load (local.get $at)) (local.get $from) (local.get $length))
              (then (return (i32.const 1))))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $next)))
    (i32.store (local.get $last) (local.get $from))
    (i32.store offset=4 (local.get $last) (global.get $to))
    (i32.const 0))

  (func $putPseudo (result i32)
    (local $at i32) (local $kept i32) (local $from i32)
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $at) (global.get $pseudo)))
        (local.set $from (global.get $to))
        (if
          (call $text
            (i32.load (i32.add (i32.const 0x1200) (i32.shl (local.get $at) (i32.const 3))))
            (i32.load offset=4 (i32.add (i32.const 0x1200) (i32.shl (local.get $at) (i32.const 3)))))
          (then (return (i32.const 1))))
        (if (call $isKnown (local.get $from) (local.get $kept))
          (then (global.set $to (local.get $from)))
          (else
            (local.set $kept (i32.add (local.get $kept) (i32.const 1)))
            (call $putLength (i32.sub (global.get $to) (local.get $from)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (global.set $pseudo (local.get $kept))
    (i32.const 0))

  (func $putClasses
    (local $at i32)
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $at) (global.get $classes)))
        (i32.store (global.get $to) (i32.load (i32.add (i32.const 0x1300) (i32.shl (local.get $at) (i32.const 2)))))
        (global.set $to (i32.add (global.get $to) (i32.const 3)))
        (call $putLength (i32.const 3))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next))))

  ;; Whether goods have `[`, `*` or `((`, which mean that they were changed.
  (func $isMarked (param $at i32) (param $end i32) (result i32)
    (local $block v128)
    (v128.store (local.get $end) (v128.const i64x2 0 0))
    (loop $next
      (local.set $block (v128.load (local.get $at)))
      (if
        (v128.any_true
          (v128.or
            (v128.or
              (i8x16.eq (local.get $block) (v128.const i8x16 91 91 91 91 91 91 91 91 91 91 91 91 91 91 91 91))
              (i8x16.eq (local.get $block) (v128.const i8x16 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42 42)))
            (v128.and
              (i8x16.eq (local.get $block) (v128.const i8x16 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40))
              (i8x16.eq
                (v128.load offset=1 (local.get $at))
                (v128.const i8x16 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40 40)))))
        (then (return (i32.const 1))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (i32.const 0))

  ;; The goods, as joinGoods of goods.ts joins the statements.
  (func $putGoods (result i32)
    (local $at i32) (local $kept i32) (local $from i32) (local $before i32) (local $begin i32) (local $until i32)
    (local.set $before (global.get $to))
    (if (i32.le_u (global.get $goods) (i32.const 1))
      (then
        (if (i32.eqz (global.get $goods)) (then (call $putLength (i32.const 0)) (return (i32.const 0))))
        (if (call $put (i32.load (i32.const 0x1000)) (i32.load (i32.const 0x1004))) (then (return (i32.const 1))))
        (return (call $isMarked (local.get $before) (global.get $to)))))
    (global.set $to (global.get $statements))
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $at) (global.get $goods)))
        (local.set $from (global.get $to))
        (if
          (call $text
            (i32.load (i32.add (i32.const 0x1000) (i32.shl (local.get $at) (i32.const 3))))
            (i32.load offset=4 (i32.add (i32.const 0x1000) (i32.shl (local.get $at) (i32.const 3)))))
          (then (return (i32.const 1))))
        (if (call $isMarked (local.get $from) (global.get $to)) (then (return (i32.const 1))))
        (if (call $isKnown (local.get $from) (local.get $kept))
          (then (global.set $to (local.get $from)))
          (else (local.set $kept (i32.add (local.get $kept) (i32.const 1)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (global.set $to (local.get $before))
    (local.set $at (i32.const 0))
    (loop $next
      (local.set $begin (i32.load (i32.add (i32.const 0x1400) (i32.shl (local.get $at) (i32.const 3)))))
      (local.set $until (i32.load offset=4 (i32.add (i32.const 0x1400) (i32.shl (local.get $at) (i32.const 3)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.lt_u (local.get $at) (local.get $kept))
        (then
          (loop $strip
            (if (i32.lt_u (local.get $begin) (local.get $until))
              (then
                (if (call $isEnding (i32.load8_u (i32.sub (local.get $until) (i32.const 1))))
                  (then
                    (local.set $until (i32.sub (local.get $until) (i32.const 1)))
                    (br $strip))))))))
      (memory.copy (global.get $to) (local.get $begin) (i32.sub (local.get $until) (local.get $begin)))
      (global.set $to (i32.add (global.get $to) (i32.sub (local.get $until) (local.get $begin))))
      (if (i32.lt_u (local.get $at) (local.get $kept))
        (then
          ;; `; `
          (i32.store16 (global.get $to) (i32.const 0x203b))
          (global.set $to (i32.add (global.get $to) (i32.const 2)))
          (br $next))))
    (call $putLength (i32.sub (global.get $to) (local.get $before)))
    (i32.const 0))

  ;; A blank, semicolon or full stop.
  (func $isEnding (param $byte i32) (result i32)
    (i32.or
      (i32.or (i32.eq (local.get $byte) (i32.const 32)) (i32.eq (local.get $byte) (i32.const 59)))
      (i32.eq (local.get $byte) (i32.const 46))))

  ;; The events, each as `2026-01-15 words`.
  (func $putEvents (result i32)
    (local $at i32) (local $last i32) (local $date i32) (local $from i32)
    (local.set $at (i32.const 0xf00))
    (local.set $last (i32.add (i32.const 0xf00) (i32.mul (global.get $events) (i32.const 24))))
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $at) (local.get $last)))
        (local.set $date (i32.load offset=16 (local.get $at)))
        (local.set $from (global.get $to))
        (i32.store (local.get $from) (i32.load (local.get $date)))
        (i32.store8 offset=4 (local.get $from) (i32.const 45))
        (i32.store16 offset=5 (local.get $from) (i32.load16_u offset=4 (local.get $date)))
        (i32.store8 offset=7 (local.get $from) (i32.const 45))
        (i32.store16 offset=8 (local.get $from) (i32.load16_u offset=6 (local.get $date)))
        (i32.store8 offset=10 (local.get $from) (i32.const 32))
        (global.set $to (i32.add (local.get $from) (i32.const 11)))
        (if (call $text (i32.load offset=8 (local.get $at)) (i32.load offset=12 (local.get $at)))
          (then (return (i32.const 1))))
        (call $putLength (i32.sub (global.get $to) (local.get $from)))
        (local.set $at (i32.add (local.get $at) (i32.const 24)))
        (br $next)))
    (i32.const 0))

  ;; Writes the day of a field; $missing if there is none. Returns 1 if the caller has to read the record.
  (func $putDay (param $tag i32) (param $at i32) (param $missing i32) (result i32)
    (local $day i32)
    (local.set $day (call $dayOf (call $begin (local.get $tag)) (call $end (local.get $tag))))
    (i32.store (local.get $at) (select (local.get $day) (local.get $missing) (local.get $day)))
    (i32.eq (local.get $day) (i32.const -2)))

  (func $varint (param $at i32) (param $value i32) (result i32)
    (loop $more
      (if (i32.gt_u (local.get $value) (i32.const 127))
        (then
          (i32.store8 (local.get $at) (i32.or (local.get $value) (i32.const 128)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (local.set $value (i32.shr_u (local.get $value) (i32.const 7)))
          (br $more))))
    (i32.store8 (local.get $at) (local.get $value))
    (i32.add (local.get $at) (i32.const 1)))

  ;; Writes the body of the record that was read. Returns 1 if the caller has to read the record.
  (func $finish (result i32)
    (local $at i32) (local $length i32) (local $serial i32) (local $status i32)
    (local.set $serial (call $begin (i32.const 2)))
    (local.set $status (call $begin (i32.const 7)))
    (if
      (i32.or
        (i32.ne (i32.sub (call $end (i32.const 2)) (local.get $serial)) (i32.const 8))
        (i32.ne (i32.sub (call $end (i32.const 7)) (local.get $status)) (i32.const 3)))
      (then (return (i32.const 1))))
    (if
      (i32.eqz
        (i32.and
          (call $isDigits (local.get $serial) (i32.add (local.get $serial) (i32.const 8)))
          (call $isDigits (local.get $status) (i32.add (local.get $status) (i32.const 3)))))
      (then (return (i32.const 1))))
    (global.set $length (i32.const 0x1800))
    (global.set $to (global.get $texts))
    (i64.store (global.get $to) (i64.load (local.get $serial)))
    (i32.store offset=8 (global.get $to) (i32.load (local.get $status)))
    (global.set $to (i32.add (global.get $to) (i32.const 11)))
    (call $putLength (i32.const 8))
    (call $putLength (i32.const 3))
    (if (i32.eq (call $begin (i32.const 9)) (call $end (i32.const 9)))
      (then
        ;; A mark without words must be a drawing (2) or a sound or scent (6), or the record is sparse.
        (if (i32.eq (call $begin (i32.const 10)) (call $end (i32.const 10))) (then (return (i32.const 1))))
        (local.set $at (i32.load8_u (call $begin (i32.const 10))))
        (if (i32.and (i32.ne (local.get $at) (i32.const 50)) (i32.ne (local.get $at) (i32.const 54)))
          (then (return (i32.const 1))))))
    (if (call $put (call $begin (i32.const 9)) (call $end (i32.const 9))) (then (return (i32.const 1))))
    (if (call $putPseudo) (then (return (i32.const 1))))
    (call $putClasses)
    (if (call $put (global.get $owner) (global.get $ownerEnd)) (then (return (i32.const 1))))
    (if (call $putGoods) (then (return (i32.const 1))))
    (if (call $put (call $begin (i32.const 11)) (call $end (i32.const 11))) (then (return (i32.const 1))))
    (if (call $putEvents) (then (return (i32.const 1))))

    (local.set $at (global.get $out))
    (i32.store8 (local.get $at) (i32.const 1))
    (if (call $putDay (i32.const 8) (i32.add (local.get $at) (i32.const 1)) (i32.const -1)) (then (return (i32.const 1))))
    (if (call $putDay (i32.const 5) (i32.add (local.get $at) (i32.const 5)) (i32.const -1)) (then (return (i32.const 1))))
    (if (call $putDay (i32.const 6) (i32.add (local.get $at) (i32.const 9)) (i32.const -1)) (then (return (i32.const 1))))
    (if (call $putDay (i32.const 12) (i32.add (local.get $at) (i32.const 13)) (i32.const -1)) (then (return (i32.const 1))))
    (if (call $putDay (i32.const 3) (i32.add (local.get $at) (i32.const 17)) (i32.const 0)) (then (return (i32.const 1))))
    (local.set $at (call $varint (i32.add (local.get $at) (i32.const 21)) (global.get $pseudo)))
    (local.set $at (call $varint (local.get $at) (global.get $classes)))
    (local.set $at (call $varint (local.get $at) (global.get $events)))
    (local.set $length (i32.const 0x1800))
    (loop $lengths
      (local.set $at (call $varint (local.get $at) (i32.load (local.get $length))))
      (local.set $length (i32.add (local.get $length) (i32.const 4)))
      (br_if $lengths (i32.lt_u (local.get $length) (global.get $length))))
    (local.set $length (i32.sub (global.get $to) (global.get $texts)))
    (memory.copy (local.get $at) (global.get $texts) (local.get $length))
    (global.set $out (i32.add (local.get $at) (local.get $length)))
    (i32.store (i32.add (i32.const 0x2000) (i32.shl (global.get $count) (i32.const 2))) (global.get $out))
    (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (i32.const 0))

  ;; Reads the record that begins at $at with `<case-file>`. Returns its end; 0 if it is incomplete or the caller has to read it.
  (func $record (param $at i32) (result i32)
    (local $stack i32) (local $text i32) (local $textEnd i32) (local $byte i32) (local $name i32) (local $nameEnd i32)
    (local $tag i32)
    (call $reset)
    (i32.store (i32.const 0xa00) (i32.add (local.get $at) (i32.const 1)))
    (i32.store (i32.const 0xa04) (i32.const 9))
    (i32.store (i32.const 0xa08) (i32.const 1))
    (local.set $stack (i32.const 0xa10))
    (local.set $at (i32.add (local.get $at) (i32.const 11)))
    (local.set $text (local.get $at))
    (block $refused
      (loop $next
        (local.set $textEnd (call $nextTag (local.get $at)))
        (local.set $name (i32.add (local.get $textEnd) (i32.const 1)))
        (local.set $byte (i32.load8_u (local.get $name)))
        (if (i32.eq (local.get $byte) (i32.const 47))
          (then
            (local.set $name (i32.add (local.get $name) (i32.const 1)))
            (local.set $stack (i32.sub (local.get $stack) (i32.const 16)))
            (local.set $nameEnd (i32.add (local.get $name) (i32.load offset=4 (local.get $stack))))
            (br_if $refused (i32.ne (i32.load8_u (local.get $nameEnd)) (i32.const 62)))
            (br_if $refused
              (i32.eqz
                (call $same (i32.load (local.get $stack)) (local.get $name) (i32.load offset=4 (local.get $stack)))))
            (local.set $at (i32.add (local.get $nameEnd) (i32.const 1)))
            (local.set $tag (i32.load offset=8 (local.get $stack)))
            (if (i32.eq (local.get $stack) (i32.const 0xa00))
              (then
                (br_if $refused (i32.ne (local.get $text) (i32.const 0)))
                (br_if $refused (call $finish))
                (return (local.get $at))))
            (if (local.get $tag)
              (then
                (if (local.get $text)
                  (then
                    (br_if $refused
                      (call $leaf
                        (local.get $tag)
                        (i32.load (i32.sub (local.get $stack) (i32.const 8)))
                        (local.get $text)
                        (local.get $textEnd))))
                  (else
                    (br_if $refused
                      (i32.eqz (i32.load offset=0x23c (i32.shl (local.get $tag) (i32.const 6)))))
                    (br_if $refused (call $group (local.get $tag)))))))
            (local.set $text (i32.const 0))
            (br $next)))
        ;; Comments, CDATA, processing instructions.
        (br_if $refused (i32.or (i32.eq (local.get $byte) (i32.const 33)) (i32.eq (local.get $byte) (i32.const 63))))
        (local.set $nameEnd (call $endOfName (local.get $name)))
        (br_if $refused (i32.eq (local.get $nameEnd) (local.get $name)))
        (local.set $byte (i32.load8_u (local.get $nameEnd)))
        (local.set $tag (call $tag (local.get $name) (i32.sub (local.get $nameEnd) (local.get $name))))
        (br_if $refused (i32.eq (local.get $tag) (i32.const 1)))
        (if (i32.ne (local.get $byte) (i32.const 62))
          (then
            ;; `/>`
            (br_if $refused (i32.ne (i32.load16_u (local.get $nameEnd)) (i32.const 0x3e2f)))
            (local.set $at (i32.add (local.get $nameEnd) (i32.const 2)))
            (if (local.get $tag)
              (then
                (br_if $refused
                  (call $leaf
                    (local.get $tag)
                    (i32.load (i32.sub (local.get $stack) (i32.const 8)))
                    (local.get $at)
                    (local.get $at)))))
            (local.set $text (i32.const 0))
            (br $next)))
        (br_if $refused (i32.eq (local.get $stack) (i32.const 0xe00)))
        (i32.store (local.get $stack) (local.get $name))
        (i32.store offset=4 (local.get $stack) (i32.sub (local.get $nameEnd) (local.get $name)))
        (i32.store offset=8 (local.get $stack) (local.get $tag))
        (local.set $stack (i32.add (local.get $stack) (i32.const 16)))
        (local.set $at (i32.add (local.get $nameEnd) (i32.const 1)))
        (local.set $text (local.get $at))
        (br $next)))
    (i32.const 0))

  ;; Reads records and the white space between them. Returns the address of the first record that it did not read, or of what
  ;; is not a record. At $end there must be `<` and 16 zeros.
  (func (export "read") (param $at i32) (param $end i32) (result i32)
    (local $from i32) (local $next i32) (local $byte i32)
    (local.set $from (local.get $at))
    (block $done
      (loop $records
        (br_if $done (i32.eq (global.get $count) (global.get $maxCount)))
        (local.set $at (local.get $from))
        (block $text
          (loop $blanks
            (local.set $byte (i32.load8_u (local.get $at)))
            (br_if $text
              (i32.and
                (i32.and (i32.ne (local.get $byte) (i32.const 32)) (i32.ne (local.get $byte) (i32.const 10)))
                (i32.and (i32.ne (local.get $byte) (i32.const 13)) (i32.ne (local.get $byte) (i32.const 9)))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $blanks)))
        ;; `<case-fi`, `le>`
        (br_if $done (i64.ne (i64.load (local.get $at)) (i64.const 0x69662d657361633c)))
        (br_if $done
          (i32.ne (i32.and (i32.load offset=8 (local.get $at)) (i32.const 0xffffff)) (i32.const 0x3e656c)))
        (local.set $next (call $record (local.get $at)))
        (br_if $done (i32.eqz (local.get $next)))
        (local.set $from (local.get $next))
        (br $records)))
    (local.get $from))
)
