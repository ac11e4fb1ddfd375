{-# LANGUAGE DataKinds, DeriveDataTypeable, DeriveGeneric, FlexibleContexts #-}
{-# OPTIONS_GHC -Wno-simplifiable-class-constraints #-}

-- | Parses criterion's command line, and the additional options of tasty-bench. Executes nothing.
module Criterion.Main.Options
  ( Mode (..)
  , MatchType (..)
  , defaultConfig
  , versionInfo
  , Parsed (..)
  , parseArgs
  , usage
    -- * Not available without optparse-applicative
  , parseWith
  , config
  , describe
  , describeWith
  ) where

import Criterion.Absent (Absent)
import Criterion.Types (Config (..), Verbosity (..), measureAccessors, measureKeys)
import Data.Char (isSpace, toLower)
import Data.Data (Data)
import Data.Int (Int64)
import Data.List (isPrefixOf, nub)
import qualified Data.Map as Map
import Derny.Session (version)
import GHC.Generics (Generic)
import Statistics.Types (cl95, mkCL)
import Text.Read (readMaybe)

-- | The ways of matching patterns with names: as a prefix, as a glob on paths, as a substring, or
-- as a substring ignoring case.
data MatchType = Prefix | Glob | Pattern | IPattern
  deriving (Eq, Ord, Bounded, Enum, Read, Show, Data, Generic)

-- | The action that the command line selects.
data Mode
  = List
  | Version
  | -- | Runs a number of iterations without an analysis.
    RunIters Config Int64 MatchType [String]
  | Run Config MatchType [String]
  deriving (Eq, Read, Show, Data, Generic)

-- | Criterion's default configuration.
defaultConfig :: Config
defaultConfig = Config cl95 5 1000 [] Nothing Nothing Nothing Nothing Nothing Normal "default"

-- | The version of this library.
versionInfo :: String
versionInfo = "built with the criterion layer of Derny " ++ version

-- | A parsed command line: the action, and arguments for the engine from options of tasty-bench.
data Parsed
  = Parsed Mode [String]
  | Help
  | Wrong String

-- | Parses a command line. Words that are not options are patterns for names of benchmarks.
parseArgs :: Config -> [String] -> Parsed
parseArgs defaults = go (Plan defaults Nothing Prefix [] False False [])
  where
    go plan args = case args of
      [] -> finished plan
      "--" : rest -> finished plan {names = names plan ++ rest}
      arg : rest
        | arg `elem` ["-h", "--help"] -> Help
        | Just (name, value) <- long arg -> option name value rest plan
        | '-' : letter : value <- arg, letter /= '-' -> option [letter] (if null value then Nothing else Just value) rest plan
        | otherwise -> go plan {names = names plan ++ [arg]} rest
    long arg = case arg of
      '-' : '-' : text@(_ : _) -> let (name, value) = break (== '=') text in Just (name, if null value then Nothing else Just (drop 1 value))
      _ -> Nothing
    option name value rest plan
      | name `elem` ["l", "list"] = flag plan {listing = True}
      | name == "version" = flag plan {versioning = True}
      | Just set <- lookup name options = case (value, rest) of
          (Just text, _) -> with (set text plan) rest
          (Nothing, text : more) -> with (set text plan) more
          (Nothing, []) -> Wrong ("The option `" ++ dashed name ++ "` expects an argument.")
      | otherwise = Wrong ("Invalid option `" ++ dashed name ++ "'")
      where
        -- A value such as in -l4 would be read as further flags (-l -4), which is never intended.
        flag next = maybe (go next rest) (const (Wrong ("The option `" ++ dashed name ++ "` takes no argument."))) value
        with (Left why) _ = Wrong ("option " ++ dashed name ++ ": " ++ why)
        with (Right next) more = go next more
    dashed name = (if length name == 1 then "-" else "--") ++ name
    finished plan
      | listing plan = Parsed List []
      | versioning plan = Parsed Version []
      | otherwise = Parsed (maybe Run (flip RunIters) (iterations plan) `applied` plan) (extra plan)
    applied make plan = make (settings plan) (matching plan) (names plan)

data Plan = Plan
  { settings :: Config
  , iterations :: Maybe Int64
  , matching :: MatchType
  , names :: [String]
  , listing :: Bool
  , versioning :: Bool
  , extra :: [String]
  }

-- | Options that take a value, by name.
options :: [(String, String -> Plan -> Either String Plan)]
options =
  concat
    [ both "I" "ci" (\t p -> (\v -> put p (\c -> c {confInterval = mkCL v})) <$> range 0.001 0.999 t)
    , both "L" "time-limit" (\t p -> (\v -> put p (\c -> c {timeLimit = v})) <$> range 0.1 86400 t)
    , one "resamples" (\t p -> (\v -> put p (\c -> c {resamples = v})) <$> range 1 1000000 t)
    , one "regress" (\t p -> (\r -> put p (\c -> c {regressions = regressions c ++ [r]})) <$> regression t)
    , one "raw" (file (\f c -> c {rawDataFile = f}))
    , both "o" "output" (file (\f c -> c {reportFile = f}))
    , one "csv" (file (\f c -> c {csvFile = f}))
    , one "json" (file (\f c -> c {jsonFile = f}))
    , one "junit" (file (\f c -> c {junitFile = f}))
    , both "v" "verbosity" (\t p -> (\v -> put p (\c -> c {verbosity = toEnum v})) <$> range 0 2 t)
    , both "t" "template" (\t p -> Right (put p (\c -> c {template = t})))
    , both "n" "iters" (\t p -> (\v -> p {iterations = Just v}) <$> number t)
    , both "m" "match" (\t p -> (\v -> p {matching = v}) <$> matchType t)
    , one "baseline" (\t p -> Right (more p ["--against", t]))
    , both "p" "pattern" (\t p -> Right p {matching = Pattern, names = names p ++ [t]})
    , one "stdev" (\t p -> (\v -> more p ["--set", "precision=" ++ show v ++ "%"]) <$> percent t)
    , one "fail-if-slower" (\t p -> (\v -> more p ["--margin", show v ++ "%", "--fail-on", "worse"]) <$> percent t)
    ]
  where
    both short name set = [(short, set), (name, set)]
    one name set = [(name, set)]
    put plan change = plan {settings = change (settings plan)}
    more plan words' = plan {extra = extra plan ++ words'}
    file set text plan = Right (put plan (set (Just text)))

number :: Read n => String -> Either String n
number text = maybe (Left (show text ++ " is not a number")) Right (readMaybe text)

range :: (Ord n, Read n, Show n) => n -> n -> String -> Either String n
range low high text = do
  n <- number text
  if n >= low && n <= high then Right n else Left (show n ++ " is outside range " ++ show (low, high))

percent :: String -> Either String Double
percent = range 0.01 1000

matchType :: String -> Either String MatchType
matchType text = case [kind | (name, kind) <- known, map toLower text `isPrefixOf` name] of
  kind : _ -> Right kind
  [] -> Left (show text ++ " is not a match type: use prefix, glob, pattern or ipattern")
  where
    known = [("pfx", Prefix), ("prefix", Prefix), ("glob", Glob), ("pattern", Pattern), ("ipattern", IPattern)]

-- | Parses @RESPONDER:PREDICTOR,…@, where all names are in 'measureKeys'.
regression :: String -> Either String ([String], String)
regression text
  | null responder = Left "no responder specified"
  | null predictors = Left "no predictors specified"
  | name : _ <- filter (`Map.notMember` measureAccessors) (responder : predictors) = Left ("unknown metric " ++ show name)
  | nub (responder : predictors) /= responder : predictors = Left "a metric appears twice"
  | otherwise = Right (predictors, responder)
  where
    (before, after) = break (== ':') text
    responder = filter (not . isSpace) before
    predictors = words (map (\c -> if c == ',' then ' ' else c) (drop 1 after))

-- | Returns the help text.
usage :: String -> String
usage program =
  unlines $
    [ "Microbenchmark suite - " ++ versionInfo
    , ""
    , "Usage: " ++ program ++ " [OPTIONS] [NAME...]"
    , ""
    , "  -h,--help                Show this help text"
    , "  -I,--ci CI               Confidence interval"
    , "  -L,--time-limit SECS     Time limit to run a benchmark"
    , "  --resamples COUNT        Ignored: intervals need no resampling"
    , "  --regress RESP:PRED..    Regressions to perform"
    , "  --raw FILE               File to write raw data to (CSV, one row per batch)"
    , "  -o,--output FILE         File to write report to"
    , "  --csv FILE               File to write CSV summary to"
    , "  --json FILE              File to write JSON summary to"
    , "  --junit FILE             File to write JUnit summary to"
    , "  -v,--verbosity LEVEL     Verbosity level"
    , "  -t,--template FILE       Template to use for report: default or json"
    , "  -n,--iters ITERS         Run benchmarks, don't analyse"
    , "  -m,--match MATCH         How to match benchmark names (\"prefix\", \"glob\", \"pattern\", or \"ipattern\")"
    , "  --baseline RUN           Compare with a stored run, a baseline or a result file of Derny"
    , "  --fail-if-slower PERCENT Exit with status 1 if a benchmark is slower than the baseline by more than this"
    , "  -p,--pattern TEXT        Run benchmarks whose name contains this text"
    , "  --stdev PERCENT          Stop a benchmark once its precision is this good"
    , "  -l,--list                List benchmarks"
    , "  --version                Show version info"
    , ""
    , "Regression metrics (for use with --regress):"
    ]
      ++ ["  " ++ take 20 (key ++ repeat ' ') ++ maybe "" snd (Map.lookup key measureAccessors) | key <- measureKeys]

-- | Not available. The type error names an alternative.
parseWith, config, describe
  :: Absent "optparse-applicative" "use defaultMainWith to read the command line, or pass a Mode to runMode." a => Config -> a
parseWith = const undefined
config = const undefined
describe = const undefined

-- | Not available. The type error names an alternative.
describeWith
  :: Absent "optparse-applicative" "use defaultMainWith to read the command line, or pass a Mode to runMode." b => a -> b
describeWith = const undefined
