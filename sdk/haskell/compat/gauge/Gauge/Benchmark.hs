-- | The parts of a gauge program: benchmarks of criterion's kind.
module Gauge.Benchmark
  ( Benchmarkable (..)
  , toBenchmarkable
  , whnf
  , nf
  , nfIO
  , whnfIO
  , nfAppIO
  , whnfAppIO
  , perBatchEnv
  , perBatchEnvWithCleanup
  , perRunEnv
  , perRunEnvWithCleanup
  , Benchmark (..)
  , bench
  , bgroup
  , env
  , envWithCleanup
  , benchNames
  ) where

import Criterion.Measurement.Types
