module Main (main) where

import Derny

root :: Double -> Double
root r = sqrt r / (r + 1) ** (1 / 3)

-- A top-level value is computed once, when it is first evaluated, and then kept.
constant :: Double
constant = root 3

main :: IO ()
main = suite
  [ -- WRONG: the body does not depend on its argument, so it is computed once for all calls.
    bench "1 wrong: shared result" (whnf (const constant) ())
    -- WRONG: only the outermost constructor is evaluated. The roots in the list are never computed.
  , bench "2 wrong: not forced" (whnf (map root) [1 .. 16])
    -- RIGHT: function and argument are separate, so every call applies the function.
  , bench "3 right" (whnf root 3)
    -- RIGHT: a structured result is evaluated completely.
  , bench "4 right: sixteen" (nf (map root) [1 .. 16])
    -- The cost that all benchmarks share: the loop, the call, evaluating the result.
  , bench "5 nothing" (whnf id ())
  ]
