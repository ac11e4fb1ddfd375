-- | Measures with the engine and writes the files that criterion writes. Builds command lines for
-- the engine, but computes no statistics.
module Criterion.Main.Outputs (measureWith, engineArgs, regressed, limits, junit) where

import Control.Monad (forM_, unless, when)
import Criterion.Types (Config (..), Verbosity (..))
import Data.List (intercalate)
import Data.Maybe (isJust)
import Derny.Pairs (inPairs)
import Derny.Registry (Benchmark)
import Derny.Start (Engine, complain, engineRuns, findEngine, ownCommand)
import Derny.Table (rows)
import Statistics.Types (confidenceLevel)
import System.Directory (doesFileExist, getFileSize)
import System.Exit (ExitCode (..), exitWith)
import System.Process (readProcess)

-- | Runs the engine on this program and writes the configured output files, even if a benchmark
-- failed or became slower. Exits with the engine's status.
measureWith :: Config -> [String] -> [Benchmark] -> IO ()
measureWith config more benchmarks = do
  when (isJust (reportFile config) && template config `notElem` ["default", "json"]) $
    refuse ("custom templates are not supported: " ++ template config ++ " (use default or json)")
  engine <- findEngine
  command <- ownCommand True
  status <- engineRuns engine (engineArgs config ++ more ++ ["--"] ++ command)
  when (status `elem` [ExitSuccess, ExitFailure 1, ExitFailure 3, ExitFailure 5]) $ do
    unless (null (regressions config) || verbosity config == Quiet) $
      () <$ engineRuns engine (["-q", "show", "last", "--view", "criterion"] ++ regressed config)
    outputs engine config
  unless (status == ExitSuccess) (exitWith status)
  inPairs engine (limits config ++ spoken config) command benchmarks
  where
    refuse why = complain why >> exitWith (ExitFailure 2)

-- | Returns the engine's arguments for a configuration.
engineArgs :: Config -> [String]
engineArgs config =
  ["run"] ++ limits config
    ++ (if null (regressions config) then [] else ["--set", "ladder=yes"] ++ quietly)
    ++ spoken config
  where
    -- Criterion's text output replaces the engine's table.
    quietly = if verbosity config == Quiet then [] else ["-o", "/dev/null"]

regressed :: Config -> [String]
regressed config = concat [["--regress", responder ++ ":" ++ intercalate "," predictors] | (predictors, responder) <- regressions config]

spoken :: Config -> [String]
spoken config = case verbosity config of
  Quiet -> ["-qq", "-o", "/dev/null"]
  Normal -> []
  Verbose -> ["-v"]

-- | Returns the engine's arguments for the time limit and the confidence level.
limits :: Config -> [String]
limits config = ["--budget", show (timeLimit config) ++ "s", "--set", "confidence=" ++ show level]
  where
    -- Round the level, because 1 - 0.05 is not exactly 0.95.
    level = fromInteger (round (confidenceLevel (confInterval config) * 1e6)) / 1e6 :: Double

outputs :: Engine -> Config -> IO ()
outputs engine config = do
  forM_ (rawDataFile config) $ \file -> export ["--raw", "-f", "csv", "-o", file]
  forM_ (jsonFile config) $ \file -> export (["-f", "criterion-json", "-o", file] ++ regressed config)
  when (isJust (csvFile config) || isJust (junitFile config)) $ do
    table <- readProcess engine ["-q", "export", "last", "-f", "criterion-csv"] ""
    forM_ (csvFile config) (appendTable table)
    forM_ (junitFile config) (\file -> writeFile file (junit (drop 1 (rows table))))
  -- Write the report last, because this may fail.
  forM_ (reportFile config) $ \file ->
    if template config == "json"
      then export (["-f", "criterion-json", "-o", file] ++ regressed config)
      else tell (engineRuns engine ["report", "last", "-o", file])
  where
    export args = tell (engineRuns engine (["-q", "export", "last"] ++ args))
    tell act = act >>= \status -> unless (status == ExitSuccess) (exitWith status)

-- | Appends rows to a CSV file. Like criterion, writes the header only once.
appendTable :: String -> FilePath -> IO ()
appendTable table file = do
  there <- doesFileExist file
  size <- if there then getFileSize file else pure 0
  if size == 0
    then writeFile file table
    else appendFile file (drop 1 (dropWhile (/= '\n') table))

-- | Returns a JUnit file with one test case per benchmark, whose time is the mean in seconds.
junit :: [[String]] -> String
junit cases =
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"Criterion benchmarks\" tests=\"" ++ show (length cases) ++ "\">\n"
    ++ concat ["  <testcase name=\"" ++ escaped name ++ "\" time=\"" ++ mean ++ "\" />\n" | name : mean : _ <- cases]
    ++ "</testsuite>\n"
  where
    escaped = intercalate "" . map escape
    escape c = case c of
      '&' -> "&amp;"
      '<' -> "&lt;"
      '>' -> "&gt;"
      '"' -> "&quot;"
      _ -> [c]
