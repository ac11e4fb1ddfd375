{-# LANGUAGE DeriveDataTypeable, DeriveGeneric #-}

-- | The part of the module of this name in the package @statistics@ that is needed to set or read
-- an interval.
module Statistics.Types
  ( CL
  , mkCL
  , mkCLE
  , cl90
  , cl95
  , cl99
  , confidenceLevel
  , significanceLevel
  , Estimate (..)
  , ConfInt (..)
  , estimateFromInterval
  , confidenceInterval
  , Sample
  ) where

import Control.DeepSeq (NFData (..))
import Data.Data (Data)
import GHC.Generics (Generic)

-- | A confidence level, stored as 1 minus the level.
newtype CL a = CL a deriving (Eq, Show, Read, Data, Generic)

-- | Higher levels are greater: 0.99 is greater than 0.95.
instance Ord a => Ord (CL a) where
  CL a `compare` CL b = b `compare` a

instance NFData a => NFData (CL a) where
  rnf (CL a) = rnf a

-- | Makes a confidence level from a probability such as 0.95. Calls 'error' if it is not between 0
-- and 1.
mkCL :: (Ord a, Num a) => a -> CL a
mkCL level = maybe (error "mkCL: a confidence level must be between 0 and 1") id (mkCLE level)

-- | Like 'mkCL', but returns nothing if the probability is not between 0 and 1.
mkCLE :: (Ord a, Num a) => a -> Maybe (CL a)
mkCLE level
  | level >= 0 && level <= 1 = Just (CL (1 - level))
  | otherwise = Nothing

-- | Common confidence levels.
cl90, cl95, cl99 :: Fractional a => CL a
cl90 = CL 0.10
cl95 = CL 0.05
cl99 = CL 0.01

-- | Returns the confidence level as a probability.
confidenceLevel :: Num a => CL a -> a
confidenceLevel (CL a) = 1 - a

-- | Returns 1 minus the confidence level.
significanceLevel :: CL a -> a
significanceLevel (CL a) = a

-- | A value and its uncertainty.
data Estimate e a = Estimate
  { estPoint :: !a
  , estError :: !(e a)
  }
  deriving (Eq, Read, Show, Generic, Data)

instance (NFData (e a), NFData a) => NFData (Estimate e a) where
  rnf (Estimate a e) = rnf a `seq` rnf e

-- | The distances from the value to the ends of its interval, and the confidence level.
data ConfInt a = ConfInt
  { confIntLDX :: !a
  , confIntUDX :: !a
  , confIntCL :: !(CL Double)
  }
  deriving (Read, Show, Eq, Generic, Data)

instance NFData a => NFData (ConfInt a) where
  rnf (ConfInt l u c) = rnf l `seq` rnf u `seq` rnf c

-- | Makes an estimate from a value and the ends of its interval.
estimateFromInterval :: Num a => a -> (a, a) -> CL Double -> Estimate ConfInt a
estimateFromInterval x (low, high) level = Estimate x (ConfInt (x - low) (high - x) level)

-- | Returns the ends of the interval.
confidenceInterval :: Num a => Estimate ConfInt a -> (a, a)
confidenceInterval (Estimate x (ConfInt l u _)) = (x - l, x + u)

-- | A sample of numbers. In the package @statistics@ this is a vector.
type Sample = [Double]
