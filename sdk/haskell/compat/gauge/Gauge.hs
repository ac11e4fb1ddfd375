-- | Gauge's interface for benchmarks.
module Gauge
  ( module Gauge.Benchmark
  , module Gauge.Main
  , module Gauge.Main.Options
  ) where

import Gauge.Benchmark
import Gauge.Main
import Gauge.Main.Options
