-- | Measuring through the engine, and the files that criterion writes. Knows command lines of the engine, and no analysis.
module Criterion.Main.Outputs (measureWith, engineArgs, limits, junit, rowsOf) where

import Control.Monad (forM_, unless, when)
import Criterion.Types (Config (..), Verbosity (..))
import Data.List (intercalate)
import Data.Maybe (isJust)
import Derny.Main (inPairs)
import Derny.Registry (Benchmark)
import Derny.Start (Engine, complain, engineRuns, findEngine, ownCommand)
import Statistics.Types (confidenceLevel)
import System.Directory (doesFileExist, getFileSize)
import System.Exit (ExitCode (..), exitWith)
import System.Process (readProcess)

-- | Runs the engine on this program and writes what the configuration asks for. What was measured is written also where
-- something failed or got slower; the engine's status is the program's.
measureWith :: Config -> [String] -> [Benchmark] -> IO ()
measureWith config more benchmarks = do
  when (isJust (reportFile config) && template config `notElem` ["default", "json"]) $
    refuse ("templates of one's own are not supported: " ++ template config ++ " (known: default, json)")
  engine <- findEngine
  command <- ownCommand True
  status <- engineRuns engine (engineArgs config ++ more ++ ["--"] ++ command)
  when (status `elem` [ExitSuccess, ExitFailure 1, ExitFailure 3, ExitFailure 5]) (outputs engine config)
  unless (status == ExitSuccess) (exitWith status)
  inPairs engine (limits config ++ spoken config) command benchmarks
  where
    refuse why = complain why >> exitWith (ExitFailure 2)

-- | The engine's options for a configuration.
engineArgs :: Config -> [String]
engineArgs config =
  ["run"] ++ limits config
    ++ (if null (regressions config) then [] else ["--ladder", "--view", "criterion"])
    ++ spoken config

-- | How much is said.
spoken :: Config -> [String]
spoken config = case verbosity config of
  Quiet -> ["-qq", "-o", "/dev/null"]
  Normal -> []
  Verbose -> ["-v"]

-- | How long, and with which confidence.
limits :: Config -> [String]
limits config = ["--budget", show (timeLimit config) ++ "s", "--confidence", show level]
  where
    -- 1 - 0.05 has more digits than anybody meant.
    level = fromInteger (round (confidenceLevel (confInterval config) * 1e6)) / 1e6 :: Double

outputs :: Engine -> Config -> IO ()
outputs engine config = do
  forM_ (rawDataFile config) $ \file -> export ["--raw", "-f", "csv", "-o", file]
  forM_ (jsonFile config) $ \file -> export ["-f", "criterion-json", "-o", file]
  when (isJust (csvFile config) || isJust (junitFile config)) $ do
    table <- readProcess engine ["-q", "export", "last", "-f", "criterion-csv"] ""
    forM_ (csvFile config) (appendTable table)
    forM_ (junitFile config) (\file -> writeFile file (junit (rowsOf table)))
  -- Last: whatever becomes of it, the results are there.
  forM_ (reportFile config) $ \file ->
    if template config == "json"
      then export ["-f", "criterion-json", "-o", file]
      else tell (engineRuns engine ["report", "last", "-f", "html", "-o", file])
  where
    export args = tell (engineRuns engine (["-q", "export", "last"] ++ args))
    tell act = act >>= \status -> unless (status == ExitSuccess) (exitWith status)

-- | As criterion does, adds to what is there; unlike it, with one head.
appendTable :: String -> FilePath -> IO ()
appendTable table file = do
  there <- doesFileExist file
  size <- if there then getFileSize file else pure 0
  if size == 0
    then writeFile file table
    else appendFile file (drop 1 (dropWhile (/= '\n') table))

-- | The fields of a CSV table's rows, without its head.
rowsOf :: String -> [[String]]
rowsOf = drop 1 . rows
  where
    rows [] = []
    rows text = let (row, rest) = fields text in row : rows rest
    fields text = case field text of
      (value, ',' : rest) -> let (values, after) = fields rest in (value : values, after)
      (value, rest) -> ([value], drop 1 (dropWhile (== '\r') rest))
    field ('"' : text) = quoted text
    field text = break (`elem` ",\r\n") text
    quoted ('"' : '"' : rest) = let (value, after) = quoted rest in ('"' : value, after)
    quoted ('"' : rest) = ("", rest)
    quoted (c : rest) = let (value, after) = quoted rest in (c : value, after)
    quoted [] = ("", "")

-- | A test case for every benchmark, with its mean in seconds.
junit :: [[String]] -> String
junit rows =
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"Criterion benchmarks\" tests=\"" ++ show (length rows) ++ "\">\n"
    ++ concat ["  <testcase name=\"" ++ escaped name ++ "\" time=\"" ++ mean ++ "\" />\n" | name : mean : _ <- rows]
    ++ "</testsuite>\n"
  where
    escaped = intercalate "" . map escape
    escape c = case c of
      '&' -> "&amp;"
      '<' -> "&lt;"
      '>' -> "&gt;"
      '"' -> "&quot;"
      _ -> [c]
