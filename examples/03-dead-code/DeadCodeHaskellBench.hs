module Main (main) where

import Derny

root :: Double -> Double
root r = sqrt r / (r + 1) ** (1 / 3)

-- A value of the program: computed once, at the first look, and there from then on.
constant :: Double
constant = root 3

main :: IO ()
main = suite
  [ -- WRONG: the application stands inside the body and depends on nothing, so it is computed once for all calls.
    bench "1 wrong: shared result" (whnf (const constant) ())
    -- WRONG: only the outermost constructor is looked at; the roots in the list are never computed.
  , bench "2 wrong: not forced" (whnf (map root) [1 .. 16])
    -- RIGHT: function and argument come separately, so every call applies the one to the other.
  , bench "3 right" (whnf root 3)
    -- RIGHT: a result with parts is forced as a whole.
  , bench "4 right: sixteen" (nf (map root) [1 .. 16])
    -- What all of them share: the loop, the call, looking at the result.
  , bench "5 nothing" (whnf id ())
  ]
