-- | Benchmarks with criterion's interface, and functions that measure one of them in an
-- interactive session.
module Criterion
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
  , benchmark
  , benchmarkWith
  , benchmark'
  , benchmarkWith'
  ) where

import Criterion.Internal (runAndAnalyseOne, summary)
import Criterion.Main.Options (defaultConfig)
import Criterion.Main.Outputs (limits)
import Criterion.Measurement.Types
import Criterion.Monad (withConfig)
import Criterion.Types (Config, DataRecord (..), Report)
import Derny.Main (attach)
import System.Directory (findExecutable)
import System.Environment (lookupEnv)

-- | Measures in this process and prints the result. Uses the engine if it is installed. The result
-- comes from one process only. To measure in several processes, compile a program.
benchmark :: Benchmarkable -> IO ()
benchmark = benchmarkWith defaultConfig

-- | Like 'benchmark', with a configuration.
benchmarkWith :: Config -> Benchmarkable -> IO ()
benchmarkWith config it = do
  named <- lookupEnv "DERNY_BIN"
  found <- findExecutable (maybe "derny" id named)
  case found of
    Just _ -> attach (limits config) (map snd (registered (bench "function" it)))
    Nothing -> benchmarkWith' config it >>= putStr . summary

-- | Measures in this process without the engine, and returns the result.
benchmark' :: Benchmarkable -> IO Report
benchmark' = benchmarkWith' defaultConfig

-- | Like 'benchmark'', with a configuration.
benchmarkWith' :: Config -> Benchmarkable -> IO Report
benchmarkWith' config it = withConfig config (runAndAnalyseOne 0 "function" it) >>= told
  where
    told (Analysed report) = pure report
    told (Measurement _ name _) = ioError (userError (name ++ " was not analysed"))
