{-# LANGUAGE DeriveDataTypeable, DeriveGeneric #-}

-- | Configuration and command line of a gauge program, and their translation to criterion's
-- options.
module Gauge.Main.Options
  ( Config (..)
  , Verbosity (..)
  , DisplayMode (..)
  , MatchType (..)
  , Mode (..)
  , MilliSeconds (..)
  , defaultConfig
  , makeSelector
  , versionInfo
    -- * In criterion's words
  , criterionArgs
  , criterionConfig
  , criterionMatch
  ) where

import qualified Criterion.Main.Options as Criterion
import qualified Criterion.Types as Criterion
import Criterion.Types (Verbosity (..))
import Data.Char (toLower)
import Data.Data (Data)
import Data.Int (Int64)
import Data.List (isInfixOf, isPrefixOf)
import Data.Maybe (fromMaybe)
import Data.Word (Word64)
import GHC.Generics (Generic)
import Statistics.Types (mkCL)

-- | How names are matched: in full, by their beginning, by a substring, or by a substring in any case.
data MatchType = Exact | Prefix | Pattern | IPattern
  deriving (Eq, Ord, Bounded, Enum, Read, Show, Data, Generic)

-- | The action of a program.
data Mode = List | Version | Help | DefaultMode
  deriving (Eq, Read, Show, Data, Generic)

-- | Of no effect.
data DisplayMode = Condensed | StatsTable
  deriving (Eq, Read, Show, Data, Generic)

-- | A time.
newtype MilliSeconds = MilliSeconds Word64
  deriving (Eq, Read, Show, Data, Generic)

-- | How a program measures, and its output files. Fields that control gauge's sampling have no effect: the engine plans it.
data Config = Config
  { confInterval :: Maybe Double
  , forceGC :: Bool
  -- ^ Of no effect.
  , timeLimit :: Maybe Double
  -- ^ Seconds that a benchmark may take.
  , minSamples :: Maybe Int
  -- ^ Of no effect.
  , minDuration :: MilliSeconds
  -- ^ Of no effect.
  , includeFirstIter :: Bool
  -- ^ Of no effect.
  , quickMode :: Bool
  -- ^ A third of a second for each benchmark if there is no time limit.
  , measureOnly :: Maybe FilePath
  -- ^ Ignored: `derny export --raw` writes the measurements.
  , measureWith :: Maybe FilePath
  -- ^ Ignored: the engine starts its own processes.
  , resamples :: Int
  -- ^ Of no effect: the engine's intervals need no resampling.
  , regressions :: [([String], String)]
  -- ^ Predictors and responder.
  , rawDataFile :: Maybe FilePath
  , reportFile :: Maybe FilePath
  , csvFile :: Maybe FilePath
  , csvRawFile :: Maybe FilePath
  -- ^ Used as the file of raw data if none is given.
  , jsonFile :: Maybe FilePath
  , junitFile :: Maybe FilePath
  , verbosity :: Verbosity
  , template :: FilePath
  , iters :: Maybe Int64
  -- ^ Runs this many iterations without an analysis.
  , match :: MatchType
  , mode :: Mode
  , displayMode :: DisplayMode
  -- ^ Of no effect.
  }
  deriving (Eq, Read, Show, Data, Generic)

-- | The configuration of gauge without options.
defaultConfig :: Config
defaultConfig =
  Config
    { confInterval = Nothing
    , forceGC = True
    , timeLimit = Nothing
    , minSamples = Nothing
    , minDuration = MilliSeconds 30
    , includeFirstIter = False
    , quickMode = False
    , measureOnly = Nothing
    , measureWith = Nothing
    , resamples = 1000
    , regressions = []
    , rawDataFile = Nothing
    , reportFile = Nothing
    , csvFile = Nothing
    , csvRawFile = Nothing
    , jsonFile = Nothing
    , junitFile = Nothing
    , verbosity = Normal
    , template = "default"
    , iters = Nothing
    , match = Prefix
    , mode = DefaultMode
    , displayMode = StatsTable
    }

-- | Returns true if the words select a name; no words select all.
makeSelector :: MatchType -> [String] -> String -> Bool
makeSelector kind words' name = null words' || any selects words'
  where
    selects word = case kind of
      Exact -> word == name
      Prefix -> word `isPrefixOf` name
      Pattern -> word `isInfixOf` name
      IPattern -> map toLower word `isInfixOf` map toLower name

-- | Versions that this program was built with.
versionInfo :: String
versionInfo = Criterion.versionInfo

-- | The configuration, as criterion has it.
criterionConfig :: Config -> Criterion.Config
criterionConfig config =
  defaults
    { Criterion.confInterval = maybe (Criterion.confInterval defaults) mkCL (confInterval config)
    , Criterion.timeLimit = max 0.1 (fromMaybe (if quickMode config then quick else Criterion.timeLimit defaults) (timeLimit config))
    , Criterion.resamples = resamples config
    , Criterion.regressions = regressions config
    , Criterion.rawDataFile = maybe (csvRawFile config) Just (rawDataFile config)
    , Criterion.reportFile = reportFile config
    , Criterion.csvFile = csvFile config
    , Criterion.jsonFile = jsonFile config
    , Criterion.junitFile = junitFile config
    , Criterion.verbosity = verbosity config
    , Criterion.template = template config
    }
  where
    defaults = Criterion.defaultConfig

-- | Words that select benchmarks, as criterion has them. It has no exact match, but globs without special characters.
criterionMatch :: MatchType -> [String] -> (Criterion.MatchType, [String])
criterionMatch kind words' = case kind of
  Exact -> (Criterion.Glob, map literal words')
  Prefix -> (Criterion.Prefix, words')
  Pattern -> (Criterion.Pattern, words')
  IPattern -> (Criterion.IPattern, words')

literal :: String -> String
literal = concatMap (\c -> if c `elem` "*?[\\" then ['\\', c] else [c])

-- | Translates a command line of gauge to criterion's. Options that criterion has stay unchanged.
criterionArgs :: [String] -> [String]
criterionArgs args = go args
  where
    isExact = any (`elem` ["exact", "--match=exact", "-mexact"]) args
    go line = case line of
      "--" : rest -> "--" : map name rest
      word : rest | word `elem` ["-G", "--no-gc", "-s", "--small", "--include-first-iter"] -> go rest
      word : rest | word `elem` ["-q", "--quick"] -> "--time-limit" : show quick : go rest
      word : _ : rest | word `elem` ["--min-samples", "--min-duration"] -> go rest
      word : rest | any (`isPrefixOf` word) ["--min-samples=", "--min-duration="] -> go rest
      word : value : rest | word == "--csvraw" -> "--raw" : value : go rest
      word : "exact" : rest | word `elem` ["-m", "--match"] -> word : "glob" : go rest
      word : rest | word `elem` ["--match=exact", "-mexact"] -> "--match=glob" : go rest
      option@('-' : _) : value : rest | takesValue option -> option : value : go rest
      option@('-' : _) : rest -> option : go rest
      word : rest -> name word : go rest
      [] -> []
    name word = if isExact then literal word else word
    takesValue option = option `elem` ["-I", "-L", "-o", "-v", "-t", "-n", "-m", "-p", "--ci", "--time-limit", "--resamples", "--regress", "--raw", "--output", "--csv", "--json", "--junit", "--verbosity", "--template", "--iters", "--match", "--baseline", "--pattern", "--stdev", "--fail-if-slower"]

-- | Seconds for each benchmark in quick mode.
quick :: Double
quick = 0.3
