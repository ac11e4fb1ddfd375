-- | Benchmarks, as criterion has them, and measuring one of them in an interactive session.
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
import Criterion.Measurement.Types
import Criterion.Monad (withConfig)
import Criterion.Types (Config, DataRecord (..), Report)

-- | Measures in this process and prints what came of it. Nothing is stored, and the intervals say nothing of other
-- processes: for that, make it a program.
benchmark :: Benchmarkable -> IO ()
benchmark = benchmarkWith defaultConfig

-- | The same, with a configuration.
benchmarkWith :: Config -> Benchmarkable -> IO ()
benchmarkWith config it = benchmarkWith' config it >>= putStr . summary

-- | Measures in this process and gives back what came of it.
benchmark' :: Benchmarkable -> IO Report
benchmark' = benchmarkWith' defaultConfig

-- | The same, with a configuration.
benchmarkWith' :: Config -> Benchmarkable -> IO Report
benchmarkWith' config it = withConfig config (runAndAnalyseOne 0 "function" it) >>= told
  where
    told (Analysed report) = pure report
    told (Measurement _ name _) = ioError (userError (name ++ " was not analysed"))
