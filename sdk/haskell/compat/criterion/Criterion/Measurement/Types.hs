{-# LANGUAGE DeriveDataTypeable, DeriveGeneric, GADTs, PatternSynonyms #-}

-- | Criterion's types of benchmarks, and the result of one measurement.
module Criterion.Measurement.Types
  ( Benchmarkable (Benchmarkable, allocEnv, cleanEnv, runRepeatedly, perRun)
  , Benchmark (Environment, Benchmark, BenchGroup)
  , Measured (..)
  , fromInt
  , toInt
  , fromDouble
  , toDouble
  , measureAccessors
  , measureKeys
  , measure
  , rescale
  , env
  , envWithCleanup
  , perBatchEnv
  , perBatchEnvWithCleanup
  , perRunEnv
  , perRunEnvWithCleanup
  , toBenchmarkable
  , bench
  , bgroup
  , addPrefix
  , benchNames
  , nf
  , whnf
  , nfIO
  , whnfIO
  , nfAppIO
  , whnfAppIO
  , ListInPlaceOfVector
  , heldAgainst
  , registered
  ) where

import Control.DeepSeq (NFData (..))
import Control.Exception (evaluate, onException)
import Data.Data (Data)
import Data.Int (Int64)
import Data.Map (Map, fromList)
import Derny.Body (Batch (..), Body (..), Opened (..), aboutUnder, atMost, noEnvironment, plain)
import Derny.Loop
import qualified Derny.Registry as Registry
import GHC.Generics (Generic)

-- | Something that can be run repeatedly. It has two more fields than criterion's type: the same
-- loop with an empty body, and the loop alone if there is no environment. The pattern
-- 'Benchmarkable' omits both.
data Benchmarkable where
  Looped
    :: NFData a
    => (Int64 -> IO a)
    -> (Int64 -> a -> IO ())
    -> (a -> Int64 -> IO ())
    -> Bool
    -> (Int64 -> IO ())
    -> Maybe (Int64 -> IO ())
    -> Benchmarkable

-- | Criterion's constructor. Its functions make an environment for a batch, release it, and run
-- iterations in it. The last field is true if a batch is always a single iteration.
pattern Benchmarkable
  :: () => NFData a => (Int64 -> IO a) -> (Int64 -> a -> IO ()) -> (a -> Int64 -> IO ()) -> Bool -> Benchmarkable
pattern Benchmarkable {allocEnv, cleanEnv, runRepeatedly, perRun} <- Looped allocEnv cleanEnv runRepeatedly perRun _ _
  where
    Benchmarkable make clean run single = Looped make clean run single emptyIO Nothing

{-# COMPLETE Benchmarkable #-}

-- | A named benchmark, a group, or benchmarks that share an environment.
data Benchmark where
  Environment :: NFData env => IO env -> (env -> IO a) -> (env -> Benchmark) -> Benchmark
  Benchmark :: String -> Benchmarkable -> Benchmark
  BenchGroup :: String -> [Benchmark] -> Benchmark
  -- Not in criterion; see 'heldAgainst'.
  Held :: Registry.Reference -> Benchmark -> Benchmark

instance Show Benchmark where
  show (Environment _ _ b) = "Environment _ _" ++ show (b noEnvironment)
  show (Benchmark name _) = "Benchmark " ++ show name
  show (BenchGroup name _) = "BenchGroup " ++ show name
  show (Held _ b) = show b

-- | One measurement. Values that could not be read are 'minBound' or minus infinity.
data Measured = Measured
  { measTime :: !Double
  , measCpuTime :: !Double
  , measCycles :: !Int64
  , measIters :: !Int64
  , measAllocated :: !Int64
  , measPeakMbAllocated :: !Int64
  , measNumGcs :: !Int64
  , measBytesCopied :: !Int64
  , measMutatorWallSeconds :: !Double
  , measMutatorCpuSeconds :: !Double
  , measGcWallSeconds :: !Double
  , measGcCpuSeconds :: !Double
  }
  deriving (Eq, Read, Show, Data, Generic)

instance NFData Measured where
  rnf Measured {} = ()

-- | Converts a field of 'Measured'. Returns 'Nothing' for a value that could not be read.
fromInt :: Int64 -> Maybe Int64
fromInt i = if i == minBound then Nothing else Just i

-- | The inverse of 'fromInt'.
toInt :: Maybe Int64 -> Int64
toInt = maybe minBound id

-- | Converts a field of 'Measured'. Returns 'Nothing' for a value that could not be read.
fromDouble :: Double -> Maybe Double
fromDouble d = if isInfinite d || isNaN d then Nothing else Just d

-- | The inverse of 'fromDouble'.
toDouble :: Maybe Double -> Double
toDouble = maybe (-1 / 0) id

-- | Names of the measured values, most common first.
measureKeys :: [String]
measureKeys = map (\(key, _, _) -> key) accessors

-- | The accessor and the description of each measured value.
measureAccessors :: Map String (Measured -> Maybe Double, String)
measureAccessors = fromList [(key, (get, what)) | (key, get, what) <- accessors]

accessors :: [(String, Measured -> Maybe Double, String)]
accessors =
  [ ("time", Just . measTime, "wall time, s")
  , ("cpuTime", Just . measCpuTime, "CPU time, s")
  , ("cycles", whole measCycles, "ticks of the clock")
  , ("iters", whole measIters, "iterations of the loop")
  , ("allocated", whole measAllocated, "bytes allocated (+RTS -T)")
  , ("peakMbAllocated", whole measPeakMbAllocated, "peak of the memory in use, MiB (+RTS -T)")
  , ("numGcs", whole measNumGcs, "garbage collections (+RTS -T)")
  , ("bytesCopied", whole measBytesCopied, "bytes copied by collections (+RTS -T)")
  , ("mutatorWallSeconds", fromDouble . measMutatorWallSeconds, "time outside of collections, s (+RTS -T)")
  , ("mutatorCpuSeconds", fromDouble . measMutatorCpuSeconds, "CPU time outside of collections, s (+RTS -T)")
  , ("gcWallSeconds", fromDouble . measGcWallSeconds, "time of collections, s (+RTS -T)")
  , ("gcCpuSeconds", fromDouble . measGcCpuSeconds, "CPU time of collections, s (+RTS -T)")
  ]
  where
    whole get = fmap fromIntegral . fromInt . get

-- | A list, where criterion has a vector. If a program uses the list as a vector, the compiler's
-- error shows this name.
type ListInPlaceOfVector a = [a]

-- | Returns one value of each measurement.
measure :: (Measured -> a) -> ListInPlaceOfVector Measured -> ListInPlaceOfVector a
measure = map

-- | Divides the values by the number of iterations.
rescale :: Measured -> Measured
rescale m =
  m
    { measTime = over (measTime m)
    , measCpuTime = over (measCpuTime m)
    , measCycles = wholeOver (measCycles m)
    , measAllocated = wholeOver (measAllocated m)
    , measNumGcs = wholeOver (measNumGcs m)
    , measBytesCopied = wholeOver (measBytesCopied m)
    , measMutatorWallSeconds = over (measMutatorWallSeconds m)
    , measMutatorCpuSeconds = over (measMutatorCpuSeconds m)
    , measGcWallSeconds = over (measGcWallSeconds m)
    , measGcCpuSeconds = over (measGcCpuSeconds m)
    }
  where
    n = fromIntegral (measIters m)
    over = toDouble . fmap (/ n) . fromDouble
    wholeOver = toInt . fmap (round . (/ n) . fromIntegral) . fromInt

-- | Makes an environment before the measurement and evaluates it to normal form.
env :: NFData env => IO env -> (env -> Benchmark) -> Benchmark
env make = Environment make (const (pure ()))

-- | Like 'env', with an action that releases the environment.
envWithCleanup :: NFData env => IO env -> (env -> IO a) -> (env -> Benchmark) -> Benchmark
envWithCleanup = Environment

-- | Makes an environment for each batch. The argument is the number of iterations.
perBatchEnv :: (NFData env, NFData b) => (Int64 -> IO env) -> (env -> IO b) -> Benchmarkable
perBatchEnv make = perBatchEnvWithCleanup make (\_ _ -> pure ())

-- | Like 'perBatchEnv', with an action that releases the environment.
perBatchEnvWithCleanup :: (NFData env, NFData b) => (Int64 -> IO env) -> (Int64 -> env -> IO ()) -> (env -> IO b) -> Benchmarkable
perBatchEnvWithCleanup make clean work = Benchmarkable make clean (nfIOLoop rnf . work) False

-- | Makes an environment for each iteration.
perRunEnv :: (NFData env, NFData b) => IO env -> (env -> IO b) -> Benchmarkable
perRunEnv make = perRunEnvWithCleanup make (const (pure ()))

-- | Like 'perRunEnv', with an action that releases the environment.
perRunEnvWithCleanup :: (NFData env, NFData b) => IO env -> (env -> IO ()) -> (env -> IO b) -> Benchmarkable
perRunEnvWithCleanup make clean work = Benchmarkable (const make) (const clean) (nfIOLoop rnf . work) True

straight :: (Int64 -> IO ()) -> (Int64 -> IO ()) -> Benchmarkable
straight nothing loop = Looped (const (pure ())) (\_ _ -> pure ()) (const loop) False nothing (Just loop)

-- | Makes a benchmark from a function that runs a given number of iterations.
toBenchmarkable :: (Int64 -> IO ()) -> Benchmarkable
toBenchmarkable = straight emptyIO

-- | A named benchmark.
bench :: String -> Benchmarkable -> Benchmark
bench = Benchmark

-- | A named group of benchmarks.
bgroup :: String -> [Benchmark] -> Benchmark
bgroup = BenchGroup

-- | Joins a prefix and a name with a slash, unless the prefix is empty.
addPrefix :: String -> String -> String
addPrefix "" name = name
addPrefix prefix name = prefix ++ '/' : name

-- | Returns the names of all benchmarks in a tree.
benchNames :: Benchmark -> [String]
benchNames (Environment _ _ b) = benchNames (b noEnvironment)
benchNames (Benchmark name _) = [name]
benchNames (Held _ b) = benchNames b
benchNames (BenchGroup name inner) = map (addPrefix name) (concatMap benchNames inner)

-- | Returns a benchmark that applies a function to an argument and evaluates the result to normal
-- form.
nf :: NFData b => (a -> b) -> a -> Benchmarkable
nf f x = straight emptyNf (nfLoop rnf f x)

-- | Returns a benchmark that applies a function to an argument and evaluates the result to weak
-- head normal form.
whnf :: (a -> b) -> a -> Benchmarkable
whnf f x = straight emptyWhnf (whnfLoop f x)

-- | Runs an action and evaluates its result to normal form.
nfIO :: NFData a => IO a -> Benchmarkable
nfIO = straight emptyIO . nfIOLoop rnf

-- | Runs an action and evaluates its result to weak head normal form.
whnfIO :: IO a -> Benchmarkable
whnfIO = straight emptyIO . whnfIOLoop

-- | Applies a function to an argument, runs the resulting action, and evaluates its result to
-- normal form.
nfAppIO :: NFData b => (a -> IO b) -> a -> Benchmarkable
nfAppIO f = straight emptyIO . nfAppIOLoop rnf f

-- | Like 'nfAppIO', but evaluates the result to weak head normal form.
whnfAppIO :: (a -> IO b) -> a -> Benchmarkable
whnfAppIO f = straight emptyIO . whnfAppIOLoop f

-- | Compares a benchmark with another one, as 'Derny.comparedWithin' does. The arguments are the
-- bounds of the ratio and the name of the other benchmark.
heldAgainst :: (Double, Double) -> String -> Benchmark -> Benchmark
heldAgainst bounds title = Held (Registry.Reference title bounds)

-- | Returns all benchmarks with their names, converted to the harness's type. An environment is
-- made when one of its benchmarks is opened.
registered :: Benchmark -> [(String, Registry.Benchmark)]
registered b = [(name, maybe id held other (Registry.named name body)) | (name, other, body) <- leaves b]
  where
    held (Registry.Reference title bounds) = Registry.comparedWithin bounds title

leaves :: Benchmark -> [(String, Maybe Registry.Reference, Body)]
leaves = go "" Nothing
  where
    go prefix other (Benchmark name it) = [(addPrefix prefix name, other, bodyOf it)]
    go prefix other (BenchGroup name inner) = concatMap (go (addPrefix prefix name) other) inner
    go prefix _ (Held other b) = go prefix (Just other) b
    go prefix other (Environment make clean b) = zipWith under [0 ..] (go prefix other (b noEnvironment))
      where
        under i (name, held, body) = (name, held, Body (aboutUnder (const body)) (opening i))
        opening i = do
          e <- make
          (`onException` clean e) $ do
            evaluate (rnf e)
            let (_, _, body) = go prefix other (b e) !! i
            opened <- open body
            pure opened {close = (close opened `onException` clean e) >> () <$ clean e}

bodyOf :: Benchmarkable -> Body
bodyOf (Looped make clean run single nothing loop) = case loop of
  Just direct -> plain (Opened (Plain direct) nothing Nothing (pure ()))
  Nothing
    | single -> atMost 1 (around 1)
    | otherwise -> around maxBound
  where
    around most = plain (Opened (Pieces most make clean run) nothing Nothing (pure ()))
