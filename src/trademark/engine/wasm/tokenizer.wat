;; Tokenizes texts into word numbers. A new word gets the next number. Each number is written once per text, in the order
;; of first use, or if the stamp is 0 as often as the word occurs. A number is a varint: seven bits to a byte, the lowest
;; first, the high bit set if more follow.
;;
;; The caller places these areas in memory and makes sure that a text fits:
;;   letters  256 bytes at address 0: maps each byte to its letter; 0 ends a word, 1 is dropped
;;   count    at address 256: the number of words; at 260: the number of numbers of the last text
;;   table    hash table of pairs (hash, number plus one; 0 if free); `mask` is the number of pairs less one
;;   starts   the address of each word, and of the end of the last one
;;   stamps   for each word the last text that had it
(module
  (import "host" "memory" (memory 1))
  (global $table (export "table") (mut i32) (i32.const 0))
  (global $mask (export "mask") (mut i32) (i32.const 0))
  (global $starts (export "starts") (mut i32) (i32.const 0))
  (global $stamps (export "stamps") (mut i32) (i32.const 0))
  ;; The number of the first word.
  (global $first (export "first") (mut i32) (i32.const 0))

  ;; Compares bytes, eight at a time; of the last eight only as many as are left.
  (func $same (param $a i32) (param $b i32) (param $length i32) (result i32)
    (loop $next
      (if (i32.le_u (local.get $length) (i32.const 8))
        (then
          (return
            (i64.eqz
              (i64.shl
                (i64.xor (i64.load (local.get $a)) (i64.load (local.get $b)))
                (i64.extend_i32_u (i32.shl (i32.sub (i32.const 8) (local.get $length)) (i32.const 3))))))))
      (if (i64.ne (i64.load (local.get $a)) (i64.load (local.get $b))) (then (return (i32.const 0))))
      (local.set $a (i32.add (local.get $a) (i32.const 8)))
      (local.set $b (i32.add (local.get $b) (i32.const 8)))
      (local.set $length (i32.sub (local.get $length) (i32.const 8)))
      (br $next))
    (unreachable))

  ;; Looks a word up, or adds it; returns its number.
  (func $number (param $begin i32) (param $length i32) (param $hash i32) (result i32)
    (local $place i32) (local $slot i32) (local $start i32) (local $entry i32)
    (local.set $place (i32.and (local.get $hash) (global.get $mask)))
    (block $new
      (loop $next
        (local.set $slot (i32.add (global.get $table) (i32.shl (local.get $place) (i32.const 3))))
        (br_if $new (i32.eqz (local.tee $entry (i32.load offset=4 (local.get $slot)))))
        (if (i32.eq (i32.load (local.get $slot)) (local.get $hash))
          (then
            (local.set $start (i32.add (global.get $starts) (i32.shl (local.get $entry) (i32.const 2))))
            (if
              (i32.eq
                (i32.sub
                  (i32.load (local.get $start))
                  (local.tee $start (i32.load (i32.sub (local.get $start) (i32.const 4)))))
                (local.get $length))
              (then
                (if (call $same (local.get $start) (local.get $begin) (local.get $length))
                  (then (return (i32.sub (local.get $entry) (i32.const 1)))))))))
        (local.set $place (i32.and (i32.add (local.get $place) (i32.const 1)) (global.get $mask)))
        (br $next)))
    (i32.store (local.get $slot) (local.get $hash))
    (i32.store offset=4 (local.get $slot) (local.tee $entry (i32.add (i32.load (i32.const 256)) (i32.const 1))))
    (i32.store (i32.const 256) (local.get $entry))
    (local.set $slot (i32.add (global.get $starts) (i32.shl (i32.sub (local.get $entry) (i32.const 1)) (i32.const 2))))
    (local.set $start (i32.load (local.get $slot)))
    (memory.copy (local.get $start) (local.get $begin) (local.get $length))
    (i32.store offset=4 (local.get $slot) (i32.add (local.get $start) (local.get $length)))
    (i32.sub (local.get $entry) (i32.const 1)))

  ;; Tokenizes `length` bytes from `text` on; the last byte must end a word. `stamp` must differ from text to text, or be 0.
  ;; Writes the numbers to `out` and returns their end. The text is overwritten with the letters of its words.
  (func (export "read") (param $text i32) (param $length i32) (param $stamp i32) (param $out i32) (result i32)
    (local $end i32) (local $begin i32) (local $to i32) (local $letter i32) (local $hash i32) (local $value i32)
    (local $different i32)
    (local.set $end (i32.add (local.get $text) (local.get $length)))
    (local.set $begin (local.get $text))
    (local.set $to (local.get $text))
    (local.set $hash (i32.const 0x811c9dc5))
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $text) (local.get $end)))
        (local.set $letter (i32.load8_u (i32.load8_u (local.get $text))))
        (local.set $text (i32.add (local.get $text) (i32.const 1)))
        (if (i32.gt_u (local.get $letter) (i32.const 1))
          (then
            (i32.store8 (local.get $to) (local.get $letter))
            (local.set $to (i32.add (local.get $to) (i32.const 1)))
            (local.set $hash (i32.mul (i32.xor (local.get $hash) (local.get $letter)) (i32.const 0x01000193)))
            (br $next)))
        (br_if $next (i32.or (local.get $letter) (i32.eq (local.get $to) (local.get $begin))))
        ;; Equals `finish` of hash.ts.
        (local.set $hash
          (i32.mul
            (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 15)))
            (i32.const 0x85ebca6b)))
        (local.set $hash
          (i32.mul
            (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 13)))
            (i32.const 0xc2b2ae35)))
        (local.set $hash (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 16))))
        (local.set $value
          (call $number (local.get $begin) (i32.sub (local.get $to) (local.get $begin)) (local.get $hash)))
        (local.set $begin (local.get $to))
        (local.set $hash (i32.const 0x811c9dc5))
        (if (local.get $stamp)
          (then
            (local.set $letter (i32.add (global.get $stamps) (i32.shl (local.get $value) (i32.const 2))))
            (br_if $next (i32.eq (i32.load (local.get $letter)) (local.get $stamp)))
            (i32.store (local.get $letter) (local.get $stamp))))
        (local.set $different (i32.add (local.get $different) (i32.const 1)))
        (local.set $value (i32.add (local.get $value) (global.get $first)))
        (loop $more
          (if (i32.gt_u (local.get $value) (i32.const 127))
            (then
              (i32.store8 (local.get $out) (i32.or (local.get $value) (i32.const 128)))
              (local.set $out (i32.add (local.get $out) (i32.const 1)))
              (local.set $value (i32.shr_u (local.get $value) (i32.const 7)))
              (br $more))))
        (i32.store8 (local.get $out) (local.get $value))
        (local.set $out (i32.add (local.get $out) (i32.const 1)))
        (br $next)))
    (i32.store (i32.const 260) (local.get $different))
    (local.get $out))
)
