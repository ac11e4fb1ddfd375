{-# LANGUAGE BangPatterns, DeriveDataTypeable, DeriveGeneric, ExistentialQuantification #-}
{-# OPTIONS_GHC -O2 #-}

-- | Low-level measurements, as in criterion's module of this name. 'Criterion.Main.defaultMain'
-- uses the engine instead.
module Criterion.Measurement
  ( initializeTime
  , getTime
  , getCPUTime
  , getCycles
  , getGCStatistics
  , GCStatistics (..)
  , secs
  , measure
  , runBenchmark
  , runBenchmarkable
  , runBenchmarkable_
  , measured
  , applyGCStatistics
  , threshold
  ) where

import Control.DeepSeq (rnf)
import Control.Exception (evaluate, finally)
import Criterion.Measurement.Types hiding (measure)
import Data.Data (Data)
import Data.Int (Int64)
import Data.Word (Word64)
import Derny.Clock (now)
import GHC.Generics (Generic)
import qualified GHC.Stats as Stats
import qualified System.CPUTime as CPUTime
import System.Mem (performGC, performMinorGC)
import Text.Printf (printf)

-- | Statistics of the runtime system: bytes, counts and seconds.
data GCStatistics = GCStatistics
  { gcStatsBytesAllocated :: !Int64
  , gcStatsNumGcs :: !Int64
  , gcStatsMaxBytesUsed :: !Int64
  , gcStatsNumByteUsageSamples :: !Int64
  , gcStatsCumulativeBytesUsed :: !Int64
  , gcStatsBytesCopied :: !Int64
  , gcStatsCurrentBytesUsed :: !Int64
  , gcStatsCurrentBytesSlop :: !Int64
  , gcStatsMaxBytesSlop :: !Int64
  , gcStatsPeakMegabytesAllocated :: !Int64
  , gcStatsMutatorCpuSeconds :: !Double
  , gcStatsMutatorWallSeconds :: !Double
  , gcStatsGcCpuSeconds :: !Double
  , gcStatsGcWallSeconds :: !Double
  , gcStatsCpuSeconds :: !Double
  , gcStatsWallSeconds :: !Double
  }
  deriving (Eq, Read, Show, Data, Generic)

-- | Returns the current statistics, or nothing if the program runs without @+RTS -T@.
getGCStatistics :: IO (Maybe GCStatistics)
getGCStatistics = do
  enabled <- Stats.getRTSStatsEnabled
  if enabled then Just . told <$> Stats.getRTSStats else pure Nothing
  where
    seconds ns = fromIntegral ns * 1e-9
    told s =
      GCStatistics
        { gcStatsBytesAllocated = fromIntegral (Stats.allocated_bytes s)
        , gcStatsNumGcs = fromIntegral (Stats.gcs s)
        , gcStatsMaxBytesUsed = fromIntegral (Stats.max_live_bytes s)
        , gcStatsNumByteUsageSamples = fromIntegral (Stats.major_gcs s)
        , gcStatsCumulativeBytesUsed = fromIntegral (Stats.cumulative_live_bytes s)
        , gcStatsBytesCopied = fromIntegral (Stats.copied_bytes s)
        , gcStatsCurrentBytesUsed = fromIntegral (Stats.gcdetails_live_bytes (Stats.gc s))
        , gcStatsCurrentBytesSlop = fromIntegral (Stats.gcdetails_slop_bytes (Stats.gc s))
        , gcStatsMaxBytesSlop = fromIntegral (Stats.max_slop_bytes s)
        , gcStatsPeakMegabytesAllocated = fromIntegral (Stats.max_mem_in_use_bytes s `div` 1048576)
        , gcStatsMutatorCpuSeconds = seconds (Stats.mutator_cpu_ns s)
        , gcStatsMutatorWallSeconds = seconds (Stats.mutator_elapsed_ns s)
        , gcStatsGcCpuSeconds = seconds (Stats.gc_cpu_ns s)
        , gcStatsGcWallSeconds = seconds (Stats.gc_elapsed_ns s)
        , gcStatsCpuSeconds = seconds (Stats.cpu_ns s)
        , gcStatsWallSeconds = seconds (Stats.elapsed_ns s)
        }

-- | Has no effect: the clock needs no initialisation.
initializeTime :: IO ()
initializeTime = pure ()

-- | Returns the time of the monotonic clock in seconds.
getTime :: IO Double
getTime = (\ns -> fromIntegral ns * 1e-9) <$> now

-- | Returns the CPU time of the process in seconds.
getCPUTime :: IO Double
getCPUTime = (\ps -> fromIntegral ps * 1e-12) <$> CPUTime.getCPUTime

-- | Returns the time of the clock in nanoseconds instead of processor cycles, because the cycle
-- counter is not accessible from Haskell code.
getCycles :: IO Word64
getCycles = now

-- | A measurement without any values.
measured :: Measured
measured = Measured 0 0 0 0 minBound minBound minBound minBound bad bad bad bad where bad = -1 / 0

-- | Adds the statistics of the garbage collector to a measurement. The arguments are the statistics
-- after the final collection, before that collection, and at the beginning.
applyGCStatistics :: Maybe GCStatistics -> Maybe GCStatistics -> Maybe GCStatistics -> Measured -> Measured
applyGCStatistics (Just after) (Just before) (Just start) m =
  m
    { measAllocated = grown after gcStatsBytesAllocated
    , measPeakMbAllocated = gcStatsPeakMegabytesAllocated after
    , measNumGcs = grown before gcStatsNumGcs
    , measBytesCopied = grown after gcStatsBytesCopied
    , measMutatorWallSeconds = grown after gcStatsMutatorWallSeconds
    , measMutatorCpuSeconds = grown after gcStatsMutatorCpuSeconds
    , measGcWallSeconds = grown before gcStatsGcWallSeconds
    , measGcCpuSeconds = grown before gcStatsGcCpuSeconds
    }
  where
    grown :: Num n => GCStatistics -> (GCStatistics -> n) -> n
    grown end get = get end - get start
applyGCStatistics _ _ _ m = m

-- | Measures a number of iterations. The second result is the time of the clock at the end, in
-- seconds.
measure :: Benchmarkable -> Int64 -> IO (Measured, Double)
measure it n = runBenchmarkable it n together $ \ !count act -> do
  performMinorGC
  start <- getGCStatistics
  t <- getTime
  cpu <- getCPUTime
  ticks <- getCycles
  act
  t' <- getTime
  cpu' <- getCPUTime
  ticks' <- getCycles
  before <- getGCStatistics
  performMinorGC
  after <- getGCStatistics
  let plain' =
        measured
          { measTime = max 0 (t' - t)
          , measCpuTime = max 0 (cpu' - cpu)
          , measCycles = fromIntegral (ticks' - ticks)
          , measIters = count
          }
      !m = applyGCStatistics after before start plain'
  pure (m, t')
  where
    together (!a, _) (!b, !end) = (sumOf a b, end)

sumOf :: Measured -> Measured -> Measured
sumOf a b =
  Measured
    { measTime = add measTime
    , measCpuTime = add measCpuTime
    , measCycles = add measCycles
    , measIters = add measIters
    , measAllocated = whole measAllocated
    , measPeakMbAllocated = max (measPeakMbAllocated a) (measPeakMbAllocated b)
    , measNumGcs = whole measNumGcs
    , measBytesCopied = whole measBytesCopied
    , measMutatorWallSeconds = add measMutatorWallSeconds
    , measMutatorCpuSeconds = add measMutatorCpuSeconds
    , measGcWallSeconds = add measGcWallSeconds
    , measGcCpuSeconds = add measGcCpuSeconds
    }
  where
    add :: Num n => (Measured -> n) -> n
    add get = get a + get b
    whole get = toInt ((+) <$> fromInt (get a) <*> fromInt (get b))

-- | Minimum duration, in seconds, of measurements that count for criterion's mean.
threshold :: Double
threshold = 0.03

-- | Runs iterations and combines their results. Iterations run one by one if each needs its own
-- environment.
runBenchmarkable :: Benchmarkable -> Int64 -> (a -> a -> a) -> (Int64 -> IO () -> IO a) -> IO a
runBenchmarkable (Benchmarkable make clean run single) n together with
  | single = one 1 >>= go (n - 1)
  | otherwise = one n
  where
    go !left !sum'
      | left <= 0 = pure sum'
      | otherwise = one 1 >>= go (left - 1) . together sum'
    one count = do
      e <- make count
      (evaluate (rnf e) >> with count (run e count)) `finally` clean count e

-- | Like 'runBenchmarkable', without results.
runBenchmarkable_ :: Benchmarkable -> Int64 -> IO ()
runBenchmarkable_ it n = runBenchmarkable it n (\_ _ -> ()) (const id)

-- | Measures with growing numbers of iterations for a number of seconds. Returns all measurements
-- and the time they took in seconds. Criterion returns a vector instead of a list.
runBenchmark :: Benchmarkable -> Double -> IO (ListInPlaceOfVector Measured, Double)
runBenchmark it limit = do
  runBenchmarkable_ it 1
  performGC
  start <- getTime
  let go (n : more) !over !count found = do
        (m, end) <- measure it n
        let over' = over + max 0 (measTime m - threshold)
        if end - start >= limit && over' > threshold * 10 && count >= (4 :: Int)
          then pure (reverse (m : found), end - start)
          else go more over' (count + 1) (m : found)
      go [] _ _ found = pure (reverse found, 0)
  go (growing 1) 0 1 []
  where
    growing k = let n = truncate k :: Int64 in n : dropWhile (== n) (growing (max (k * 1.05) (k + 1e-3 :: Double)))

-- | Formats a time in seconds with a suitable unit.
secs :: Double -> String
secs s
  | s < 0 = '-' : secs (negate s)
  | otherwise = case dropWhile (\(scale, _) -> s < scale) scales of
      (scale, u) : _ -> digits (s / scale) u
      [] -> printf "%g s" s
  where
    scales = [(1, "s"), (1e-3, "ms"), (1e-6, "μs"), (1e-9, "ns"), (1e-12, "ps"), (1e-15, "fs"), (1e-18, "as")] :: [(Double, String)]
    digits :: Double -> String -> String
    digits t u
      | t >= 1e9 = printf "%.4g %s" t u
      | t >= 1e3 = printf "%.0f %s" t u
      | t >= 1e2 = printf "%.1f %s" t u
      | t >= 1e1 = printf "%.2f %s" t u
      | otherwise = printf "%.3f %s" t u
