;; The inner loop of the resampler: dot products of the input with one row of filter weights for each output sample.
;; Eight multiplications at a time; JavaScript does one. Compiled into polyphase-wasm.ts (npm run build:resampler).
(module
  (memory (export "memory") 1)
  (func (export "resample")
    (param $input i32)    ;; first sample under the filter, in bytes
    (param $weights i32)  ;; rows of weights, one for each phase
    (param $taps i32)     ;; weights in a row, a multiple of eight
    (param $output i32)
    (param $count i32)    ;; output samples wanted
    (param $phase i32)    ;; of the first output sample, below $up
    (param $up i32)
    (param $down i32)
    (local $end i32)      ;; where the output ends
    (local $row i32)
    (local $at i32)
    (local $row_end i32)
    (local $row_bytes i32)
    (local $sum v128)
    (local $more v128)
    (local.set $end (i32.add (local.get $output) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $row_bytes (i32.shl (local.get $taps) (i32.const 2)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $output) (local.get $end)))
        (local.set $row
          (i32.add (local.get $weights) (i32.mul (local.get $phase) (local.get $row_bytes))))
        (local.set $row_end (i32.add (local.get $row) (local.get $row_bytes)))
        (local.set $at (local.get $input))
        (local.set $sum (v128.const f32x4 0 0 0 0))
        (local.set $more (v128.const f32x4 0 0 0 0))
        (loop $tap
          (local.set $sum
            (f32x4.add (local.get $sum)
              (f32x4.mul (v128.load align=4 (local.get $at)) (v128.load (local.get $row)))))
          (local.set $more
            (f32x4.add (local.get $more)
              (f32x4.mul (v128.load offset=16 align=4 (local.get $at)) (v128.load offset=16 (local.get $row)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $row (i32.add (local.get $row) (i32.const 32)))
          (br_if $tap (i32.lt_u (local.get $row) (local.get $row_end))))
        (local.set $sum (f32x4.add (local.get $sum) (local.get $more)))
        (f32.store (local.get $output)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
            (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))
        (local.set $output (i32.add (local.get $output) (i32.const 4)))
        (local.set $phase (i32.add (local.get $phase) (local.get $down)))
        (local.set $input
          (i32.add (local.get $input)
            (i32.shl (i32.div_u (local.get $phase) (local.get $up)) (i32.const 2))))
        (local.set $phase (i32.rem_u (local.get $phase) (local.get $up)))
        (br $next)))))
