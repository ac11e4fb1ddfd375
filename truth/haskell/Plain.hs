{-# LANGUAGE BangPatterns #-}
-- Prevents the compiler from moving computations out of the loop.
{-# OPTIONS_GHC -fno-full-laziness #-}

-- | A plain loop around one body: plain BODY [WARM_MS [MEASURE_MS [SLICE_NS]]]
module Main (main) where

import Bodies (Body (..), bodies)
import Control.DeepSeq (rnf)
import Control.Exception (IOException, evaluate, try)
import Control.Monad (replicateM, when)
import Data.Array.IO (IOUArray, getElems, newArray, writeArray)
import Data.List (sort)
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import GHC.Stats (RTSStats (..), getRTSStats)
import System.Environment (getArgs)
import Text.Printf (printf)

-- | Maximum number of times in the median.
slices :: Int
slices = 200000

-- | Calls a body n times. Function and argument are parameters, so that every iteration computes.
loop :: Body -> Int -> IO ()
loop (Function f0 x0) = go f0 x0
  where
    go _ _ 0 = pure ()
    go f x n = evaluate (rnf (f x)) >> go f x (n - 1 :: Int)
loop (Action act) = go
  where
    go 0 = pure ()
    go n = act >>= evaluate >> go (n - 1 :: Int)
{-# NOINLINE loop #-}

-- | Returns the time of n calls in nanoseconds.
slice :: Body -> Int -> IO Double
slice body n = do
  start <- getMonotonicTimeNSec
  loop body n
  stop <- getMonotonicTimeNSec
  pure $! fromIntegral (stop - start)

-- | Calls the body until the time has passed. Returns the suitable number of calls per slice.
warmUp :: Body -> Double -> Word64 -> IO Int
warmUp body sliceNs end = go 1
  where
    go !n = do
      ns <- slice body n
      now <- getMonotonicTimeNSec
      if now < end
        then go (max 1 (min (2 * n) (round (fromIntegral n * sliceNs / max 1 ns))))
        else do
          times <- replicateM 5 (slice body n)
          pure (max 1 (round (sliceNs * fromIntegral n / minimum times)))

-- | Returns the minor page faults of this process so far, or 'Nothing' if the system has no /proc.
faults :: IO (Maybe Integer)
faults = do
  text <- try (readFile "/proc/self/stat" >>= \t -> t <$ evaluate (length t)) :: IO (Either IOException String)
  pure (either (const Nothing) (Just . read . (!! 7) . words . drop 2 . dropWhile (/= ')')) text)

median :: [Double] -> Double
median times = (sorted !! ((count - 1) `div` 2) + sorted !! (count `div` 2)) / 2
  where
    sorted = sort times
    count = length times

measure :: Body -> Word64 -> Word64 -> Double -> IO ()
measure body warmMs measureMs sliceNs = do
  -- newArray writes the elements, so that their pages exist before the measurement.
  times <- newArray (0, slices - 1) 1 :: IO (IOUArray Int Double)
  began <- getMonotonicTimeNSec
  n <- warmUp body sliceNs (began + warmMs * 1000000)
  faultsBefore <- faults
  before <- getRTSStats
  start <- getMonotonicTimeNSec
  let end = start + measureMs * 1000000
      go !taken = do
        ns <- slice body n
        when (taken < slices) (writeArray times taken ns)
        now <- getMonotonicTimeNSec
        if now < end then go (taken + 1) else pure (taken + 1, now)
  (taken, stop) <- go (0 :: Int)
  after <- getRTSStats
  faultsAfter <- faults
  list <- take (min taken slices) <$> getElems times
  let calls = taken * n
  printf
    ( "{\"median_ns\":%f,\"mean_ns\":%f,\"calls\":%d,\"slices\":%d,"
        ++ "\"collections\":%d,\"collection_ns\":%d,\"faults\":%s}\n"
    )
    (median list / fromIntegral n)
    (fromIntegral (stop - start) / fromIntegral calls :: Double)
    calls
    taken
    (toInteger (gcs after - gcs before))
    (toInteger (gc_elapsed_ns after - gc_elapsed_ns before))
    (maybe "null" show ((-) <$> faultsAfter <*> faultsBefore))

main :: IO ()
main = do
  arguments <- getArgs
  case arguments of
    name : plan
      | Just body <- lookup name bodies
      , [warmMs, measureMs, sliceNs] <- map read plan ++ drop (length plan) [1500, 1500, 20000] ->
        measure body warmMs measureMs (fromIntegral sliceNs)
    _ -> fail "usage: plain BODY [WARM_MS [MEASURE_MS [SLICE_NS]]]"
