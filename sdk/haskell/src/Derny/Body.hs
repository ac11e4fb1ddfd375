{-# LANGUAGE ExistentialQuantification #-}

-- | Bodies of benchmarks, their properties, and the actions around them. Independent of clocks and
-- names.
module Derny.Body
  ( Body (..)
  , About (..)
  , Metric (..)
  , Kind (..)
  , Opened (..)
  , Batch (..)
  , plain
  , whnf
  , nf
  , whnfIO
  , nfIO
  , whnfAppIO
  , nfAppIO
  , nfHashed
  , repeating
  , selfTimed
  , fresh
  , perBatch
  , perRun
  , env
  , envWithCleanup
  , skipping
  , Direction (..)
  , metric
  , exactMetric
  , operations
  , unit
  , bytes
  , items
  , atMost
  , tagged
  , isolated
  , inEnvironment
  , noEnvironment
  , aboutUnder
  ) where

import Control.DeepSeq (NFData, rnf)
import Control.Exception (SomeException, evaluate, onException, try)
import Control.Monad (replicateM)
import Data.Int (Int64)
import Data.Word (Word64)
import Derny.Loop
import System.IO.Unsafe (unsafePerformIO)

-- | Code to measure.
data Body = Body
  { about :: About
  , open :: IO Opened
  }

-- | Properties of a body that are available before it runs.
data About = About
  { aboutOps :: Maybe Double
  , aboutUnit :: Maybe String
  , aboutBytes :: Maybe Integer
  , aboutItems :: Maybe Integer
  , aboutMost :: Maybe Int64
  , aboutTags :: [String]
  , aboutIsolated :: Bool
  , aboutEnvironment :: [(String, String)]
  , aboutMetrics :: [Metric]
  , aboutSelfTimed :: Bool
  , aboutSkip :: Maybe String
  }

-- | A metric that the body defines.
data Metric = Metric
  { metricName :: String
  , metricUnit :: String
  , metricKind :: Kind
  , metricDirection :: Direction
  , metricExact :: Bool
  , metricRead :: IO Double
  }

-- | The kind of a metric's values. A 'Total' is divided by the operations of a turn. A 'Level' is
-- compared without further calculation. A 'Peak' is a maximum: a process has the peak of its
-- largest turn. A 'Rate' is already a quotient.
data Kind = Total | Level | Peak | Rate deriving (Eq, Show)

-- | The direction in which a metric improves.
data Direction = Less | More | Neither deriving (Eq, Show)

-- | A body whose set-up has run.
data Opened = Opened
  { batch :: Batch
  , empty :: Int64 -> IO ()
  -- ^ The same loop with an empty body.
  , answer :: Maybe (IO String)
  -- ^ The result as text, to compare it between variants.
  , close :: IO ()
  }

-- | The ways in which a batch calls the body.
data Batch
  = -- | Makes all calls in one loop.
    Plain (Int64 -> IO ())
  | -- | Makes the calls in pieces with a maximum number of calls. Each piece has its own environment, made untimed.
    forall e. NFData e => Pieces Int64 (Int64 -> IO e) (Int64 -> e -> IO ()) (e -> Int64 -> IO ())
  | -- | The body measures its own time. Returns it in ns, and the number of operations.
    SelfTimed (Int64 -> IO (Word64, Double))

nothingSaid :: About
nothingSaid = About Nothing Nothing Nothing Nothing Nothing [] False [] [] False Nothing

looped :: (Int64 -> IO ()) -> (Int64 -> IO ()) -> Body
looped nothing loop = plain (Opened (Plain loop) nothing Nothing (pure ()))

plain :: Opened -> Body
plain = Body nothingSaid . pure

-- | Applies a function to an argument in each call, and evaluates the result to weak head normal
-- form.
whnf :: (a -> b) -> a -> Body
whnf f x = looped emptyWhnf (whnfLoop f x)

-- | Applies a function to an argument in each call, and evaluates the result to normal form.
nf :: NFData b => (a -> b) -> a -> Body
nf f x = looped emptyNf (nfLoop rnf f x)

-- | Runs an action in each call, and evaluates its result to weak head normal form.
whnfIO :: IO a -> Body
whnfIO = looped emptyIO . whnfIOLoop

-- | Runs an action in each call, and evaluates its result to normal form.
nfIO :: NFData a => IO a -> Body
nfIO = looped emptyIO . nfIOLoop rnf

-- | Applies a function to an argument in each call, runs the resulting action, and evaluates its
-- result to weak head normal form. The time includes computing the action.
whnfAppIO :: (a -> IO b) -> a -> Body
whnfAppIO f = looped emptyIO . whnfAppIOLoop f

-- | Like 'whnfAppIO', but evaluates the result to normal form.
nfAppIO :: NFData b => (a -> IO b) -> a -> Body
nfAppIO f = looped emptyIO . nfAppIOLoop rnf f

-- | Like 'nf', and hashes the text of the result, so that the engine can check that all variants
-- return the same.
nfHashed :: (NFData b, Show b) => (a -> b) -> a -> Body
nfHashed f x = plain (Opened (Plain (nfLoop rnf f x)) emptyNf (Just (evaluate (f x) >>= pure . show)) (pure ()))

-- | A body that contains its own loop. Its argument is the number of calls.
repeating :: (Int64 -> IO ()) -> Body
repeating = looped emptyIO

-- | A body that measures its own time. It is called once per batch with a number of iterations, and
-- returns the time in ns and the number of operations.
selfTimed :: (Int64 -> IO (Word64, Double)) -> Body
selfTimed run = Body nothingSaid {aboutSelfTimed = True} (pure (Opened (SelfTimed run) emptyIO Nothing (pure ())))

-- | Makes an input for each call, for bodies that consume their input. Inputs are evaluated before
-- the clock starts. At most 1,024 exist at the same time. A longer batch is timed in pieces.
fresh :: NFData a => IO a -> (a -> IO b) -> Body
fresh make run = pieces 1024 (replicateM . fromIntegral) (\_ _ -> pure ()) (\inputs _ -> eachLoop run inputs) emptyInputs
  where
    pieces most makes clean loop nothing = plain (Opened (Pieces most (`makes` make) clean loop) nothing Nothing (pure ()))
    emptyInputs n = emptyEach (replicate (fromIntegral n) ())

-- | Makes an environment for each batch from the number of its calls, evaluates it, and releases it
-- after the batch. Only the calls are timed.
perBatch :: (NFData e, NFData b) => (Int64 -> IO e) -> (Int64 -> e -> IO ()) -> (e -> IO b) -> Body
perBatch make clean run =
  plain (Opened (Pieces maxBound make clean (\e -> nfIOLoop rnf (run e))) emptyIO Nothing (pure ()))

-- | Makes an environment for each call. A batch is then a single call, which reduces precision if
-- calls are short.
perRun :: (NFData e, NFData b) => IO e -> (e -> IO ()) -> (e -> IO b) -> Body
perRun make clean run =
  atMost 1 (plain (Opened (Pieces 1 (const make) (const clean) (\e -> nfIOLoop rnf (run e))) emptyIO Nothing (pure ())))

-- | Makes the input of the body and evaluates it once before the measurement. The properties of the
-- body ('items', 'metric' …) are read before the input exists. If the function matches on the
-- input, the pattern must be lazy (@~(a, b)@).
env :: NFData e => IO e -> (e -> Body) -> Body
env make = envWithCleanup make (const (pure ()))

-- | Like 'env', with an action that releases the input.
envWithCleanup :: NFData e => IO e -> (e -> IO ()) -> (e -> Body) -> Body
envWithCleanup make clean body = Body (aboutUnder body) opening
  where
    opening = do
      e <- make
      (`onException` clean e) $ do
        evaluate (rnf e)
        opened <- open (body e)
        pure opened {close = (close opened `onException` clean e) >> clean e}

-- | Returns the properties of a body whose environment does not exist yet. They are empty if they
-- depend on the environment.
aboutUnder :: (e -> Body) -> About
aboutUnder body = either nothing id (unsafePerformIO (try (evaluate (told (about (body noEnvironment))))))
  where
    nothing = const nothingSaid :: SomeException -> About
    told said = rnf (aboutOps said, aboutUnit said, aboutBytes said, aboutItems said, aboutMost said, aboutTags said)
      `seq` rnf (aboutIsolated said, aboutEnvironment said, map metricName (aboutMetrics said), aboutSelfTimed said, aboutSkip said)
      `seq` said

-- | A placeholder for an environment while names are collected.
noEnvironment :: e
noEnvironment =
  error
    "an environment was used before it was made: names and parameters are collected before that. \
    \Use a lazy pattern, such as \\ ~(a, b) -> …, in the function that takes the environment"

-- | Skips the benchmark, for the given reason.
skipping :: String -> Body -> Body
skipping why body = body {about = (about body) {aboutSkip = Just why}}

-- | Adds a metric, which is read after each turn: its name, its unit, the kind of its values, and
-- the direction in which it improves.
metric :: String -> String -> Kind -> Direction -> IO Double -> Body -> Body
metric name u kind direction = addMetric . Metric name u kind direction False

-- | Like 'metric', for values that depend only on the work done.
exactMetric :: String -> String -> Kind -> Direction -> IO Double -> Body -> Body
exactMetric name u kind direction = addMetric . Metric name u kind direction True

addMetric :: Metric -> Body -> Body
addMetric new = saying (\said -> said {aboutMetrics = aboutMetrics said ++ [new]})

saying :: (About -> About) -> Body -> Body
saying change body = body {about = change (about body)}

-- | Sets the number of operations in one call. Times are reported per operation.
operations :: Double -> Body -> Body
operations n = saying (\said -> said {aboutOps = Just n})

-- | Sets the name of an operation, which reports use as its unit.
unit :: String -> Body -> Body
unit name = saying (\said -> said {aboutUnit = Just name})

-- | Sets the number of bytes or items that one call processes, from which throughput is computed.
bytes, items :: Integral n => n -> Body -> Body
bytes n = saying (\said -> said {aboutBytes = Just (toInteger n)})
items n = saying (\said -> said {aboutItems = Just (toInteger n)})

-- | Sets the maximum number of calls in a batch.
atMost :: Int64 -> Body -> Body
atMost n = saying (\said -> said {aboutMost = Just n})

-- | Adds tags, by which a user can select the benchmark.
tagged :: [String] -> Body -> Body
tagged words' = saying (\said -> said {aboutTags = aboutTags said ++ words'})

-- | Runs the benchmark in a separate process, which measures no other case.
isolated :: Body -> Body
isolated = saying (\said -> said {aboutIsolated = True})

-- | Sets an environment variable of the benchmark's process, such as GHCRTS.
inEnvironment :: String -> String -> Body -> Body
inEnvironment name value = saying (\said -> said {aboutEnvironment = aboutEnvironment said ++ [(name, value)]})
