-- | The loops, under the names that they have in criterion.
module Criterion.Measurement.Types.Internal (fakeEnvironment, nf', whnf', SPEC (..)) where

import Data.Int (Int64)
import Derny.Body (noEnvironment)
import Derny.Loop (nfLoop, whnfLoop)
import GHC.Types (SPEC (..))

-- | Stands for an environment while names are collected.
fakeEnvironment :: env
fakeEnvironment = noEnvironment

-- | @f x@ to normal form, so many times.
nf' :: (b -> ()) -> (a -> b) -> a -> (Int64 -> IO ())
nf' = nfLoop

-- | @f x@ to weak head normal form, so many times.
whnf' :: (a -> b) -> a -> (Int64 -> IO ())
whnf' = whnfLoop
