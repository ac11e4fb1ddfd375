-- | The main functions of criterion's interface. The engine measures, analyses and writes
-- output files.
module Criterion.Main
  ( Benchmarkable
  , Benchmark
  , env
  , envWithCleanup
  , perBatchEnv
  , perBatchEnvWithCleanup
  , perRunEnv
  , perRunEnvWithCleanup
  , toBenchmarkable
  , bench
  , bgroup
  , nf
  , whnf
  , nfIO
  , whnfIO
  , nfAppIO
  , whnfAppIO
  , defaultMain
  , defaultMainWith
  , defaultConfig
  , makeMatcher
  , runMode
  ) where

import Control.Monad (forM_, unless)
import Criterion.Main.Options
import Criterion.Main.Outputs (measureWith)
import Criterion.Match (makeMatcher)
import Criterion.Measurement.Types
import Criterion.Types (Config)
import Data.Int (Int64)
import Data.List (sort)
import qualified Derny.Body as Body
import Derny.Main (serve)
import Derny.Params (chosen)
import qualified Derny.Registry as Registry
import Derny.Turn (callsOnly)
import System.Environment (getArgs, getProgName)
import System.Exit (ExitCode (..), exitWith)
import System.IO (hPutStr, hPutStrLn, stderr)

-- | Measures benchmarks according to the command line.
defaultMain :: [Benchmark] -> IO ()
defaultMain = defaultMainWith defaultConfig

-- | Like 'defaultMain', with other defaults for the command line.
defaultMainWith :: Config -> [Benchmark] -> IO ()
defaultMainWith defaults benchmarks = do
  args <- getArgs
  case parseArgs defaults args of
    Parsed mode more -> run mode more benchmarks
    Help -> getProgName >>= putStr . usage
    Wrong why -> do
      program <- getProgName
      hPutStrLn stderr why
      hPutStr stderr ("\n" ++ usage program)
      exitWith (ExitFailure 1)

-- | Runs benchmarks in a mode, without reading the command line.
runMode :: Mode -> [Benchmark] -> IO ()
runMode mode = run mode []

run :: Mode -> [String] -> [Benchmark] -> IO ()
run mode more benchmarks = case mode of
  List -> mapM_ putStrLn (sort (map fst all'))
  Version -> putStrLn versionInfo
  RunIters _ n matching names -> do
    found <- select matching names
    forM_ (Registry.definitions (map snd found)) (untimed n)
  Run settings matching names -> do
    found <- select matching names
    serve (map snd found) (measureWith settings more (map snd found))
  where
    all' = registered (BenchGroup "" benchmarks)
    select matching names = do
      wanted <- either wrong pure (makeMatcher matching names)
      let found = filter (wanted . fst) all'
      unless (null names || not (null found)) (wrong "none of the specified names matches a benchmark")
      pure found

-- | Runs a benchmark for a number of iterations in this process, without measuring.
untimed :: Int64 -> Registry.Definition -> IO ()
untimed n definition@Registry.Definition {Registry.axes = axes, Registry.body = body} = do
  putStrLn ("benchmarking " ++ Registry.name definition)
  values <- either (ioError . userError) pure (chosen axes [])
  opened <- Body.open (body values)
  callsOnly (Body.batch opened) n
  Body.close opened

wrong :: String -> IO a
wrong why = do
  program <- getProgName
  hPutStrLn stderr ("Error: " ++ why)
  hPutStrLn stderr ("Run \"" ++ program ++ " --help\" for usage information")
  exitWith (ExitFailure 64)
