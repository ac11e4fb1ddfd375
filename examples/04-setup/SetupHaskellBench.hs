module Main (main) where

import Control.DeepSeq (NFData (..))
import Control.Monad (forM_)
import Data.Array.IO (IOUArray, newListArray, readArray, writeArray)
import Derny

type Numbers = IOUArray Int Int

-- Returns the same unsorted numbers in every process, so that all processes sort the same input.
disorder :: Int -> [Int]
disorder n = take n (iterate (\x -> (x * 1103515245 + 12345) `mod` 2147483648) 42)

fresh' :: Int -> IO Numbers
fresh' n = newListArray (0, n - 1) (disorder n)

-- Sorts by insertion in place, which is fast for almost sorted numbers.
sort :: Int -> Numbers -> IO ()
sort n list = forM_ [1 .. n - 1] $ \i -> readArray list i >>= sink i
  where
    sink :: Int -> Int -> IO ()
    sink 0 x = writeArray list 0 x
    sink j x = do
      y <- readArray list (j - 1)
      if y <= x then writeArray list j x else writeArray list j y >> sink (j - 1) x

main :: IO ()
main = suite
  [ -- WRONG: the first call sorts, all later ones get numbers that are already sorted.
    cases "1 wrong: sorted once" size $ \n -> env (Made <$> fresh' n) $ \ ~(Made list) -> whnfIO (sort n list)
    -- BETTER: every call sorts a copy, but copying is timed too.
  , cases "2 copy timed" size $ \n -> whnfIO (fresh' n >>= sort n)
    -- RIGHT: a fresh input for every call, made before the batch and outside of the timed region.
  , cases "3 fresh input" size $ \n -> fresh (Made <$> fresh' n) (\(Made list) -> sort n list)
    -- perBatch runs its first action once per batch, untimed. Here each batch begins with sorted numbers.
  , cases "4 before each batch" size $ \n ->
      perBatch (const (fresh' n >>= \list -> Made list <$ sort n list)) (\_ _ -> pure ()) (\(Made list) -> sort n list)
  ]
  where
    size = param "n" [100]

-- An environment is forced before it is used. A mutable array needs no forcing beyond its outermost
-- constructor.
newtype Made = Made Numbers

instance NFData Made where
  rnf (Made list) = list `seq` ()
