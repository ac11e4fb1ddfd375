-- | The functions that define benchmarks in a gauge program. The types are
-- those of criterion.
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
