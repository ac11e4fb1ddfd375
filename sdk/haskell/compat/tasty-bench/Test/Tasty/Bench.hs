-- | The part of tasty-bench that programs of benchmarks need. Its test trees of tasty are benchmarks of criterion's kind
-- here; the command line is that of "Criterion.Main", with tasty-bench's @-p@, @--csv@,
-- @--stdev@, @--baseline@ and @--fail-if-slower@.
module Test.Tasty.Bench
  ( defaultMain
  , Benchmark
  , bench
  , bgroup
  , bcompare
  , bcompareWithin
  , env
  , envWithCleanup
  , Benchmarkable
  , nf
  , whnf
  , nfIO
  , whnfIO
  , nfAppIO
  , whnfAppIO
  ) where

import Criterion.Main
import Criterion.Measurement.Types (heldAgainst)

-- | Holds a benchmark against another one, named in full or by a part of its name. The two are measured in pairs after
-- everything else.
bcompare :: String -> Benchmark -> Benchmark
bcompare = heldAgainst (0, 1 / 0)

-- | The same, with bounds for the time divided by that of the other one. Outside of them the program ends with status 1.
bcompareWithin :: Double -> Double -> String -> Benchmark -> Benchmark
bcompareWithin low high = heldAgainst (low, high)
