-- | The part of tasty-bench that benchmark programs need. In this module, test trees are benchmarks
-- of criterion's type. The command line is that of "Criterion.Main", with tasty-bench's @-p@,
-- @--csv@, @--stdev@, @--baseline@ and @--fail-if-slower@.
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

-- | Compares a benchmark with another one, which is given by its full name or a part of it. The two
-- are measured in pairs after all other benchmarks.
bcompare :: String -> Benchmark -> Benchmark
bcompare = heldAgainst (0, 1 / 0)

-- | Like 'bcompare', with bounds for the ratio of the benchmark's time to that of the other one. If
-- the ratio is outside of the bounds, the program exits with status 1.
bcompareWithin :: Double -> Double -> String -> Benchmark -> Benchmark
bcompareWithin low high = heldAgainst (low, high)
