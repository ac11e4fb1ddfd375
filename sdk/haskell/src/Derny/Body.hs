{-# LANGUAGE ExistentialQuantification #-}

-- | What a benchmark does: a body, its properties, and the actions around it. Independent of clocks and names.
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

-- | Something to measure.
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

-- | A quantity of a body's own.
data Metric = Metric
  { metricName :: String
  , metricUnit :: String
  , metricKind :: Kind
  , metricDirection :: Direction
  , metricExact :: Bool
  , metricRead :: IO Double
  }

-- | The kind of a quantity's values. A 'Total' of a turn is divided by its operations, and a 'Level' is compared as it is.
-- The 'Peak' of a process is its largest turn. A 'Rate' is already a quotient.
data Kind = Total | Level | Peak | Rate deriving (Eq, Show)

-- | The better direction of a quantity.
data Direction = Less | More | Neither deriving (Eq, Show)

-- | A body that has been set up.
data Opened = Opened
  { batch :: Batch
  , empty :: Int64 -> IO ()
  -- ^ The same loop around nothing.
  , answer :: Maybe (IO String)
  -- ^ The result as text, for comparing.
  , close :: IO ()
  }

-- | How the calls of a batch are made.
data Batch
  = -- | All in one go.
    Plain (Int64 -> IO ())
  | -- | In pieces of at most so many calls, each with an environment of its own, which is not timed.
    forall e. NFData e => Pieces Int64 (Int64 -> IO e) (Int64 -> e -> IO ()) (e -> Int64 -> IO ())
  | -- | The body tells the nanoseconds and the operations itself.
    SelfTimed (Int64 -> IO (Word64, Double))

nothingSaid :: About
nothingSaid = About Nothing Nothing Nothing Nothing Nothing [] False [] [] False Nothing

looped :: (Int64 -> IO ()) -> (Int64 -> IO ()) -> Body
looped nothing loop = plain (Opened (Plain loop) nothing Nothing (pure ()))

-- | A body without properties.
plain :: Opened -> Body
plain = Body nothingSaid . pure

-- | A function and its last argument: the application is evaluated to weak head normal form in every call.
whnf :: (a -> b) -> a -> Body
whnf f x = looped emptyWhnf (whnfLoop f x)

-- | A function and its last argument: the application is evaluated to normal form in every call.
nf :: NFData b => (a -> b) -> a -> Body
nf f x = looped emptyNf (nfLoop rnf f x)

-- | An action, whose result is evaluated to weak head normal form.
whnfIO :: IO a -> Body
whnfIO = looped emptyIO . whnfIOLoop

-- | An action, whose result is evaluated to normal form.
nfIO :: NFData a => IO a -> Body
nfIO = looped emptyIO . nfIOLoop rnf

-- | A function that gives an action, and its argument. What the function computes before there is an action is part of
-- every call.
whnfAppIO :: (a -> IO b) -> a -> Body
whnfAppIO f = looped emptyIO . whnfAppIOLoop f

-- | The same, and the result is evaluated to normal form.
nfAppIO :: NFData b => (a -> IO b) -> a -> Body
nfAppIO f = looped emptyIO . nfAppIOLoop rnf f

-- | Like 'nf'; a hash of the result's text lets the engine see whether two variants compute the same.
nfHashed :: (NFData b, Show b) => (a -> b) -> a -> Body
nfHashed f x = plain (Opened (Plain (nfLoop rnf f x)) emptyNf (Just (evaluate (f x) >>= pure . show)) (pure ()))

-- | A body that repeats its call itself.
repeating :: (Int64 -> IO ()) -> Body
repeating = looped emptyIO

-- | A body that is called once per batch with a number of iterations, times itself, and returns its nanoseconds and
-- its number of operations.
selfTimed :: (Int64 -> IO (Word64, Double)) -> Body
selfTimed run = Body nothingSaid {aboutSelfTimed = True} (pure (Opened (SelfTimed run) emptyIO Nothing (pure ())))

-- | An input for every call, made and forced before the clock starts, for bodies that use their input up. At most 1,024
-- inputs are alive at once; a longer batch is timed in pieces.
fresh :: NFData a => IO a -> (a -> IO b) -> Body
fresh make run = pieces 1024 (replicateM . fromIntegral) (\_ _ -> pure ()) (\inputs _ -> eachLoop run inputs) emptyInputs
  where
    pieces most makes clean loop nothing = plain (Opened (Pieces most (`makes` make) clean loop) nothing Nothing (pure ()))
    emptyInputs n = emptyEach (replicate (fromIntegral n) ())

-- | An environment for every batch, made with the number of its calls, forced, and taken down afterwards; none of it is timed.
perBatch :: (NFData e, NFData b) => (Int64 -> IO e) -> (Int64 -> e -> IO ()) -> (e -> IO b) -> Body
perBatch make clean run =
  plain (Opened (Pieces maxBound make clean (\e -> nfIOLoop rnf (run e))) emptyIO Nothing (pure ()))

-- | An environment for every single call. A batch is one call then, which costs precision where calls are short.
perRun :: (NFData e, NFData b) => IO e -> (e -> IO ()) -> (e -> IO b) -> Body
perRun make clean run =
  atMost 1 (plain (Opened (Pieces 1 (const make) (const clean) (\e -> nfIOLoop rnf (run e))) emptyIO Nothing (pure ())))

-- | Input of the body, made and forced once before the measurement. The properties of the body ('items', 'metric' …)
-- are requested before the environment exists. A function that matches on the environment must do so lazily (@~(a,
-- b)@).
env :: NFData e => IO e -> (e -> Body) -> Body
env make = envWithCleanup make (const (pure ()))

-- | The same, and an action that takes it down.
envWithCleanup :: NFData e => IO e -> (e -> IO ()) -> (e -> Body) -> Body
envWithCleanup make clean body = Body (aboutUnder body) opening
  where
    opening = do
      e <- make
      (`onException` clean e) $ do
        evaluate (rnf e)
        opened <- open (body e)
        pure opened {close = (close opened `onException` clean e) >> clean e}

-- | Properties of a body whose environment does not exist yet; none if they cannot be computed
-- without it.
aboutUnder :: (e -> Body) -> About
aboutUnder body = either nothing id (unsafePerformIO (try (evaluate (told (about (body noEnvironment))))))
  where
    nothing = const nothingSaid :: SomeException -> About
    told said = rnf (aboutOps said, aboutUnit said, aboutBytes said, aboutItems said, aboutMost said, aboutTags said)
      `seq` rnf (aboutIsolated said, aboutEnvironment said, map metricName (aboutMetrics said), aboutSelfTimed said, aboutSkip said)
      `seq` said

-- | Stands for an environment while names are collected.
noEnvironment :: e
noEnvironment =
  error
    "an environment was looked at before it was made: names and parameters are collected first, without one. \
    \Use a lazy pattern, such as \\ ~(a, b) -> …, in the function that makes benchmarks of an environment"

-- | Does not apply here, and why.
skipping :: String -> Body -> Body
skipping why body = body {about = (about body) {aboutSkip = Just why}}

-- | A quantity that the body defines, read after every turn: name, unit, kind of its values, better direction.
metric :: String -> String -> Kind -> Direction -> IO Double -> Body -> Body
metric name u kind direction = addMetric . Metric name u kind direction False

-- | The same, but equal work gives equal values.
exactMetric :: String -> String -> Kind -> Direction -> IO Double -> Body -> Body
exactMetric name u kind direction = addMetric . Metric name u kind direction True

addMetric :: Metric -> Body -> Body
addMetric new = saying (\said -> said {aboutMetrics = aboutMetrics said ++ [new]})

saying :: (About -> About) -> Body -> Body
saying change body = body {about = change (about body)}

-- | Operations per call; the name of one; bytes or items per call, for throughput.
operations :: Double -> Body -> Body
operations n = saying (\said -> said {aboutOps = Just n})

-- | See 'operations'.
unit :: String -> Body -> Body
unit name = saying (\said -> said {aboutUnit = Just name})

-- | See 'operations'.
bytes, items :: Integral n => n -> Body -> Body
bytes n = saying (\said -> said {aboutBytes = Just (toInteger n)})
items n = saying (\said -> said {aboutItems = Just (toInteger n)})

-- | The most calls of a batch.
atMost :: Int64 -> Body -> Body
atMost n = saying (\said -> said {aboutMost = Just n})

-- | Words to select it by.
tagged :: [String] -> Body -> Body
tagged words' = saying (\said -> said {aboutTags = aboutTags said ++ words'})

-- | Measures the benchmark alone in its process.
isolated :: Body -> Body
isolated = saying (\said -> said {aboutIsolated = True})

-- | A variable of the environment of its process, such as GHCRTS.
inEnvironment :: String -> String -> Body -> Body
inEnvironment name value = saying (\said -> said {aboutEnvironment = aboutEnvironment said ++ [(name, value)]})
