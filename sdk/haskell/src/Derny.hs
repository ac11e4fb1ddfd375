-- | Defines benchmarks, which the engine @derny@ measures and compares.
--
-- > import Derny
-- > import qualified Data.Map.Strict as Map
-- >
-- > main :: IO ()
-- > main = suite
-- >   [ bench "exp" (whnf exp (2 :: Double))
-- >   , group "map"
-- >       [ cases "lookup" (param "n" [10, 1000]) $ \n ->
-- >           env (pure (Map.fromList [(i, i) | i <- [1 .. n :: Int]])) $ \m -> whnf (`Map.lookup` m) (n `div` 2)
-- >       ]
-- >   ]
module Derny
  ( -- * Programs
    suite
  , attach
  , Benchmark
  , bench
  , cases
  , group
  , compared
  , comparedWithin
    -- * Parameters
  , Axes
  , param
  , keeping
  , Value (..)
    -- * Bodies
  , Body
  , whnf
  , nf
  , whnfIO
  , nfIO
  , whnfAppIO
  , nfAppIO
  , nfHashed
  , repeating
  , selfTimed
    -- * Inputs
  , env
  , envWithCleanup
  , fresh
  , perBatch
  , perRun
    -- * Properties of a body
  , operations
  , unit
  , bytes
  , items
  , metric
  , exactMetric
  , Kind (..)
  , Direction (..)
  , tagged
  , atMost
  , isolated
  , inEnvironment
  , skipping
  ) where

import Derny.Body
import Derny.Main (attach, suite)
import Derny.Params (Axes, Value (..), keeping, param)
import Derny.Registry (Benchmark, bench, cases, compared, comparedWithin, group)
