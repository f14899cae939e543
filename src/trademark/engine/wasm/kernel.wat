;; Set operations on chunks of 65,536 numbers. A chunk is stored as one of two containers:
;;   map:  a bitmap of 8192 bytes, the lowest bit of the first byte for number 0; or
;;   list: an array of 16-bit numbers in rising order.
;; The caller owns the memory; addresses need no alignment. Every function but `spread` returns the cardinality of the
;; result. `out` may be the address of the first argument.
(module
  (import "host" "memory" (memory 1))

  ;; Adds up eight 16-bit sums of set bits. They cannot overflow: a bitmap has 512 steps of at most 16 bits per lane.
  (func $total (param $sums v128) (result i32)
    (local $wide v128)
    (local.set $wide (i32x4.extadd_pairwise_i16x8_u (local.get $sums)))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $wide)) (i32x4.extract_lane 1 (local.get $wide)))
      (i32.add (i32x4.extract_lane 2 (local.get $wide)) (i32x4.extract_lane 3 (local.get $wide)))))

  ;; Intersection of two bitmaps.
  (func (export "both") (param $a i32) (param $b i32) (param $out i32) (result i32)
    (local $end i32) (local $bits v128) (local $sums v128)
    (local.set $end (i32.add (local.get $a) (i32.const 8192)))
    (loop $next
      (local.set $bits (v128.and (v128.load (local.get $a)) (v128.load (local.get $b))))
      (v128.store (local.get $out) (local.get $bits))
      (local.set $sums (i16x8.add (local.get $sums) (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (local.get $bits)))))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $next (i32.ne (local.tee $a (i32.add (local.get $a) (i32.const 16))) (local.get $end))))
    (call $total (local.get $sums)))

  ;; Difference of two bitmaps: the first without the second.
  (func (export "less") (param $a i32) (param $b i32) (param $out i32) (result i32)
    (local $end i32) (local $bits v128) (local $sums v128)
    (local.set $end (i32.add (local.get $a) (i32.const 8192)))
    (loop $next
      (local.set $bits (v128.andnot (v128.load (local.get $a)) (v128.load (local.get $b))))
      (v128.store (local.get $out) (local.get $bits))
      (local.set $sums (i16x8.add (local.get $sums) (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (local.get $bits)))))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $next (i32.ne (local.tee $a (i32.add (local.get $a) (i32.const 16))) (local.get $end))))
    (call $total (local.get $sums)))

  ;; Filters an array by a bitmap: `wanted` 1 keeps the numbers in the bitmap, 0 those that are not.
  ;; Branch-free: every number is written, and the end moves only on a hit.
  (func (export "sift") (param $list i32) (param $length i32) (param $map i32) (param $wanted i32) (param $out i32)
    (result i32)
    (local $end i32) (local $value i32) (local $to i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $length) (i32.const 1))))
    (local.set $to (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $list) (local.get $end)))
        (local.set $value (i32.load16_u (local.get $list)))
        (i32.store16 (local.get $to) (local.get $value))
        (local.set $to
          (i32.add
            (local.get $to)
            (i32.shl
              (i32.eq
                (i32.and
                  (i32.shr_u
                    (i32.load8_u (i32.add (local.get $map) (i32.shr_u (local.get $value) (i32.const 3))))
                    (i32.and (local.get $value) (i32.const 7)))
                  (i32.const 1))
                (local.get $wanted))
              (i32.const 1))))
        (local.set $list (i32.add (local.get $list) (i32.const 2)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $to) (local.get $out)) (i32.const 1)))

  ;; Intersection of a short array with a much longer one, by binary search in what is left of the longer.
  (func (export "seek") (param $short i32) (param $length i32) (param $long i32) (param $longer i32) (param $out i32)
    (result i32)
    (local $end i32) (local $value i32) (local $to i32) (local $low i32) (local $high i32) (local $middle i32)
    (local.set $end (i32.add (local.get $short) (i32.shl (local.get $length) (i32.const 1))))
    (local.set $to (local.get $out))
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $short) (local.get $end)))
        (local.set $value (i32.load16_u (local.get $short)))
        (local.set $high (local.get $longer))
        (block $placed
          (loop $halve
            (br_if $placed (i32.ge_u (local.get $low) (local.get $high)))
            (local.set $middle (i32.shr_u (i32.add (local.get $low) (local.get $high)) (i32.const 1)))
            (if
              (i32.lt_u
                (i32.load16_u (i32.add (local.get $long) (i32.shl (local.get $middle) (i32.const 1))))
                (local.get $value))
              (then (local.set $low (i32.add (local.get $middle) (i32.const 1))))
              (else (local.set $high (local.get $middle))))
            (br $halve)))
        (br_if $done (i32.eq (local.get $low) (local.get $longer)))
        (if
          (i32.eq
            (i32.load16_u (i32.add (local.get $long) (i32.shl (local.get $low) (i32.const 1))))
            (local.get $value))
          (then
            (i32.store16 (local.get $to) (local.get $value))
            (local.set $to (i32.add (local.get $to) (i32.const 2)))))
        (local.set $short (i32.add (local.get $short) (i32.const 2)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $to) (local.get $out)) (i32.const 1)))

  ;; Converts an array to a bitmap.
  (func (export "spread") (param $list i32) (param $length i32) (param $out i32)
    (local $end i32) (local $value i32) (local $byte i32)
    (memory.fill (local.get $out) (i32.const 0) (i32.const 8192))
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $length) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $list) (local.get $end)))
        (local.set $value (i32.load16_u (local.get $list)))
        (local.set $byte (i32.add (local.get $out) (i32.shr_u (local.get $value) (i32.const 3))))
        (i32.store8
          (local.get $byte)
          (i32.or
            (i32.load8_u (local.get $byte))
            (i32.shl (i32.const 1) (i32.and (local.get $value) (i32.const 7)))))
        (local.set $list (i32.add (local.get $list) (i32.const 2)))
        (br $next))))

  ;; Converts a bitmap to an array of up to 131,072 bytes, which must not overlap the bitmap.
  (func (export "gather") (param $map i32) (param $out i32) (result i32)
    (local $word i64) (local $base i32) (local $to i32)
    (local.set $to (local.get $out))
    (loop $words
      (local.set $word (i64.load (i32.add (local.get $map) (i32.shr_u (local.get $base) (i32.const 3)))))
      (block $empty
        (loop $bits
          (br_if $empty (i64.eqz (local.get $word)))
          (i32.store16 (local.get $to) (i32.add (local.get $base) (i32.wrap_i64 (i64.ctz (local.get $word)))))
          (local.set $to (i32.add (local.get $to) (i32.const 2)))
          (local.set $word (i64.and (local.get $word) (i64.sub (local.get $word) (i64.const 1))))
          (br $bits)))
      (br_if $words (i32.ne (local.tee $base (i32.add (local.get $base) (i32.const 64))) (i32.const 65536))))
    (i32.shr_u (i32.sub (local.get $to) (local.get $out)) (i32.const 1)))
)
