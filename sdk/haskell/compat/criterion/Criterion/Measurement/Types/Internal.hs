-- | The timed loops, under criterion's names.
module Criterion.Measurement.Types.Internal (fakeEnvironment, nf', whnf', SPEC (..)) where

import Data.Int (Int64)
import Derny.Body (noEnvironment)
import Derny.Loop (nfLoop, whnfLoop)
import GHC.Types (SPEC (..))

-- | A placeholder for an environment while names are collected.
fakeEnvironment :: env
fakeEnvironment = noEnvironment

-- | Evaluates @f x@ to normal form, the given number of times.
nf' :: (b -> ()) -> (a -> b) -> a -> (Int64 -> IO ())
nf' = nfLoop

-- | Evaluates @f x@ to weak head normal form, the given number of times.
whnf' :: (a -> b) -> a -> (Int64 -> IO ())
whnf' = whnfLoop
