{-# LANGUAGE BangPatterns, CPP, ForeignFunctionInterface #-}
{-# OPTIONS_GHC -O2 #-}

-- | Values that are reported for each turn in addition to times. They come from the runtime system
-- and the operating system.
--
-- The number of allocated bytes is exact. The caller reads it, and sums it over batches.
-- Statistics of the runtime system need the flag @-T@, and only collections update them.
module Derny.Counters (Counters, counters, counterNames, collectorWord, Reading, readNow, since, zero, plus, counterValues, runtimeName) where

import Control.Concurrent (rtsSupportsBoundThreads)
import Data.Int (Int64)
import Data.List (intercalate)
import Data.Word (Word64)
import Foreign (Ptr, allocaBytes, peekByteOff)
import Foreign.C (CInt (..))
import GHC.Conc (getNumCapabilities)
import GHC.Environment (getFullArgs)
import GHC.RTS.Flags (GCFlags (..), getGCFlags)
import qualified GHC.Stats as Stats
import System.Environment (lookupEnv)

-- | The available counters: true if they include the statistics of the runtime system.
newtype Counters = Counters Bool

-- | Detects the values that the runtime system provides.
counters :: IO Counters
counters = Counters <$> Stats.getRTSStatsEnabled

-- | Returns the names, units, kinds and directions of the values in the protocol's syntax.
counterNames :: Counters -> [String]
counterNames (Counters full) = ["cpu:ns:total:less", "cpu_process:ns:total", "allocated:B:total:less:exact"] ++ if full then more else []
  where
    more =
      [ "gc:count:total:less"
      , "gc_time:ns:total:less"
      , "gc_cpu:ns:total:less"
      , "mutator:ns:total:less"
      , "copied:B:total:less"
      , "heap:MB:level:none"
      , "peak:MB:peak:less"
      ]

-- | Returns the value of the protocol's field @collector@, or nothing if collections are not
-- counted.
collectorWord :: Counters -> Maybe String
collectorWord (Counters full) = if full then Just "counted" else Nothing

-- | Totals since the start of the process, or the difference between two such readings.
data Reading = Reading
  { cpuNs :: !Word64
  , processNs :: !Word64
  , collections :: !Word64
  , gcNs :: !Int64
  , gcCpuNs :: !Int64
  , copied :: !Word64
  , live :: !Word64
  , peak :: !Word64
  }

zero :: Reading
zero = Reading 0 0 0 0 0 0 0 0

-- | Reads all counters, which takes about 2 µs.
readNow :: Counters -> IO Reading
readNow (Counters full)
  | full = do
      s <- Stats.getRTSStats
      cpu <- cpuTime clockOfThread
      process <- cpuTime clockOfProcess
      pure
        Reading
          { cpuNs = cpu
          , processNs = process
          , collections = fromIntegral (Stats.gcs s)
          , gcNs = Stats.gc_elapsed_ns s
          , gcCpuNs = Stats.gc_cpu_ns s
          , copied = Stats.copied_bytes s
          , live = Stats.gcdetails_live_bytes (Stats.gc s)
          , peak = Stats.max_mem_in_use_bytes s
          }
  | otherwise = do
      cpu <- cpuTime clockOfThread
      process <- cpuTime clockOfProcess
      pure zero {cpuNs = cpu, processNs = process}

-- | @later \`since\` earlier@ returns the differences of totals, and the later values of levels.
since :: Reading -> Reading -> Reading
since later earlier =
  later
    { cpuNs = cpuNs later - cpuNs earlier
    , processNs = processNs later - processNs earlier
    , collections = collections later - collections earlier
    , gcNs = gcNs later - gcNs earlier
    , gcCpuNs = gcCpuNs later - gcCpuNs earlier
    , copied = copied later - copied earlier
    }

-- | Adds two differences. Uses the second one's levels.
plus :: Reading -> Reading -> Reading
plus a b =
  b
    { cpuNs = cpuNs a + cpuNs b
    , processNs = processNs a + processNs b
    , collections = collections a + collections b
    , gcNs = gcNs a + gcNs b
    , gcCpuNs = gcCpuNs a + gcCpuNs b
    , copied = copied a + copied b
    }

-- | Returns the values of 'counterNames' for a turn, given its duration in ns and its allocated
-- bytes.
counterValues :: Counters -> Word64 -> Int64 -> Reading -> [Double]
counterValues (Counters full) timedNs allocated r =
  [fromIntegral (cpuNs r), fromIntegral (processNs r), fromIntegral allocated] ++ if full then more else []
  where
    more =
      [ fromIntegral (collections r)
      , fromIntegral (gcNs r)
      , fromIntegral (gcCpuNs r)
      , max 0 (fromIntegral timedNs - fromIntegral (gcNs r))
      , fromIntegral (copied r)
      , fromIntegral (live r) / 1e6
      , fromIntegral (peak r) / 1e6
      ]

foreign import ccall unsafe "time.h clock_gettime" clockGetTime :: CInt -> Ptr () -> IO CInt

cpuTime :: CInt -> IO Word64
cpuTime clock = allocaBytes 16 $ \time -> do
  _ <- clockGetTime clock time
  seconds <- peekByteOff time 0 :: IO Int64
  ns <- peekByteOff time 8 :: IO Int64
  pure (fromIntegral (seconds * 1000000000 + ns))

clockOfThread, clockOfProcess :: CInt
#if defined(darwin_HOST_OS)
clockOfThread = 16
clockOfProcess = 12
#else
clockOfThread = 3
clockOfProcess = 2
#endif

-- | Returns the compiler, its version, and all settings of the runtime system that may affect
-- times.
runtimeName :: IO String
runtimeName = do
  flags <- getGCFlags
  capabilities <- getNumCapabilities
  given <- (++) <$> getFullArgs <*> (maybe [] words <$> lookupEnv "GHCRTS")
  let threaded = if rtsSupportsBoundThreads then ["-threaded", "-N" ++ show capabilities] else []
      area = "-A" ++ size (fromIntegral (minAllocAreaSize flags) * 4096 :: Int64)
      collector
        | compact flags = ["-c"]
        | generations flags /= 2 = ["-G" ++ show (generations flags)]
        | otherwise = []
  pure (unwords (("ghc/" ++ version) : threaded ++ [area] ++ collector ++ nonmoving given))
  where
    -- The runtime system does not report the non-moving collector, so search the flags.
    nonmoving given = ["-xn" | any (`elem` ["-xn", "--nonmoving-gc"]) given]
    version = intercalate "." (map show [major, minor, __GLASGOW_HASKELL_PATCHLEVEL1__])
    (major, minor) = (__GLASGOW_HASKELL__ :: Int) `divMod` 100
    size n
      | n `mod` 1048576 == 0 = show (n `div` 1048576) ++ "m"
      | otherwise = show (n `div` 1024) ++ "k"
