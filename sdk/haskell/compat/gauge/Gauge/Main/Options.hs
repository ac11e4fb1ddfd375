{-# LANGUAGE DeriveDataTypeable, DeriveGeneric #-}

-- | Configuration and command line of a gauge program, and their translation to those of criterion.
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
    -- * Translation to criterion
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

-- | The ways of matching patterns with names: exactly, as a prefix, as a substring, or as a
-- substring ignoring case.
data MatchType = Exact | Prefix | Pattern | IPattern
  deriving (Eq, Ord, Bounded, Enum, Read, Show, Data, Generic)

-- | The action that the command line selects.
data Mode = List | Version | Help | DefaultMode
  deriving (Eq, Read, Show, Data, Generic)

-- | Has no effect.
data DisplayMode = Condensed | StatsTable
  deriving (Eq, Read, Show, Data, Generic)

-- | A time in milliseconds.
newtype MilliSeconds = MilliSeconds Word64
  deriving (Eq, Read, Show, Data, Generic)

-- | Settings of a program's measurements and output. Fields that control gauge's sampling have no
-- effect, because the engine plans the measurements.
data Config = Config
  { confInterval :: Maybe Double
  , forceGC :: Bool
  -- ^ Has no effect.
  , timeLimit :: Maybe Double
  -- ^ Maximum time per benchmark in seconds.
  , minSamples :: Maybe Int
  -- ^ Has no effect.
  , minDuration :: MilliSeconds
  -- ^ Has no effect.
  , includeFirstIter :: Bool
  -- ^ Has no effect.
  , quickMode :: Bool
  -- ^ If true and there is no time limit, each benchmark may take 0.3 seconds.
  , measureOnly :: Maybe FilePath
  -- ^ Has no effect: use `derny export --raw` to write the measurements.
  , measureWith :: Maybe FilePath
  -- ^ Has no effect: the engine starts its own processes.
  , resamples :: Int
  -- ^ Has no effect: the engine's intervals need no resampling.
  , regressions :: [([String], String)]
  -- ^ Predictors and responder of each regression.
  , rawDataFile :: Maybe FilePath
  , reportFile :: Maybe FilePath
  , csvFile :: Maybe FilePath
  , csvRawFile :: Maybe FilePath
  -- ^ File of raw data if 'rawDataFile' is not set.
  , jsonFile :: Maybe FilePath
  , junitFile :: Maybe FilePath
  , verbosity :: Verbosity
  , template :: FilePath
  , iters :: Maybe Int64
  -- ^ Runs this many iterations without an analysis.
  , match :: MatchType
  , mode :: Mode
  , displayMode :: DisplayMode
  -- ^ Has no effect.
  }
  deriving (Eq, Read, Show, Data, Generic)

-- | Gauge's default configuration.
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

-- | Returns true if the patterns select the name. No patterns select all names.
makeSelector :: MatchType -> [String] -> String -> Bool
makeSelector kind words' name = null words' || any selects words'
  where
    selects word = case kind of
      Exact -> word == name
      Prefix -> word `isPrefixOf` name
      Pattern -> word `isInfixOf` name
      IPattern -> map toLower word `isInfixOf` map toLower name

-- | The version of this library.
versionInfo :: String
versionInfo = Criterion.versionInfo

-- | Converts a configuration to criterion's form.
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

-- | Converts patterns to criterion's form. Criterion has no exact match, so a glob without special
-- characters is used.
criterionMatch :: MatchType -> [String] -> (Criterion.MatchType, [String])
criterionMatch kind words' = case kind of
  Exact -> (Criterion.Glob, map literal words')
  Prefix -> (Criterion.Prefix, words')
  Pattern -> (Criterion.Pattern, words')
  IPattern -> (Criterion.IPattern, words')

literal :: String -> String
literal = concatMap (\c -> if c `elem` "*?[\\" then ['\\', c] else [c])

-- | Converts a command line to criterion's form. Options that both have are not changed.
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

-- | Maximum time per benchmark in quick mode, in seconds.
quick :: Double
quick = 0.3
