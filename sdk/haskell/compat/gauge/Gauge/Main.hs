-- | The main functions of gauge's interface. The engine measures, analyses and writes output
-- files.
module Gauge.Main
  ( defaultMain
  , defaultMainWith
  , runMode
  , benchmark
  , benchmarkWith
  , module Gauge.Benchmark
  ) where

import qualified Criterion
import qualified Criterion.Main as Criterion
import qualified Criterion.Main.Options as Criterion
import Gauge.Benchmark
import Gauge.Main.Options
import System.Environment (getArgs, getProgName, withArgs)

-- | Measures benchmarks according to the command line.
defaultMain :: [Benchmark] -> IO ()
defaultMain = defaultMainWith defaultConfig

-- | Like 'defaultMain', with other defaults for the command line. If the configuration sets a
-- mode, a match type or a number of iterations, the command line is ignored.
defaultMainWith :: Config -> [Benchmark] -> IO ()
defaultMainWith config benchmarks
  | isPlain config = do
      args <- getArgs
      withArgs (criterionArgs args) (Criterion.defaultMainWith (criterionConfig config) benchmarks)
  | otherwise = runMode (mode config) config [] benchmarks
  where
    isPlain it = mode it == DefaultMode && iters it == Nothing && match it == Prefix

-- | Runs a mode with the benchmarks that the patterns select.
runMode :: Mode -> Config -> [String] -> [Benchmark] -> IO ()
runMode what config words' benchmarks = case what of
  List -> criterion Criterion.List
  Version -> criterion Criterion.Version
  Help -> getProgName >>= putStr . Criterion.usage
  DefaultMode -> criterion (maybe Criterion.Run (flip Criterion.RunIters) (iters config) settings kind named)
  where
    criterion how = Criterion.runMode how benchmarks
    settings = criterionConfig config
    (kind, named) = criterionMatch (match config) words'

-- | Measures in this process and prints the result.
benchmark :: Benchmarkable -> IO ()
benchmark = benchmarkWith defaultConfig

-- | Like 'benchmark', with a configuration.
benchmarkWith :: Config -> Benchmarkable -> IO ()
benchmarkWith = Criterion.benchmarkWith . criterionConfig
