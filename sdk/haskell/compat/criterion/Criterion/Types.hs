{-# LANGUAGE DeriveDataTypeable, DeriveGeneric #-}

-- | All types of criterion that need no packages beyond those of GHC. Lists replace criterion's
-- vectors.
module Criterion.Types
  ( Config (..)
  , Verbosity (..)
  , module Criterion.Measurement.Types
  , Outliers (..)
  , OutlierEffect (..)
  , OutlierVariance (..)
  , Regression (..)
  , KDE (..)
  , Report (..)
  , SampleAnalysis (..)
  , DataRecord (..)
  ) where

import Control.DeepSeq (NFData)
import Criterion.Measurement.Types hiding (heldAgainst, registered)
import Data.Data (Data)
import Data.Int (Int64)
import Data.Map (Map)
import GHC.Generics (Generic)
import Statistics.Types (CL, ConfInt, Estimate)

-- | Verbosity of the output.
data Verbosity = Quiet | Normal | Verbose
  deriving (Eq, Ord, Bounded, Enum, Read, Show, Data, Generic)

-- | Settings of a program's measurements and output.
data Config = Config
  { confInterval :: CL Double
  , timeLimit :: Double
  -- ^ Maximum time per benchmark in seconds.
  , resamples :: Int
  -- ^ Has no effect: the engine's intervals need no resampling.
  , regressions :: [([String], String)]
  -- ^ Predictors and responder of each regression.
  , rawDataFile :: Maybe FilePath
  , reportFile :: Maybe FilePath
  , csvFile :: Maybe FilePath
  , jsonFile :: Maybe FilePath
  , junitFile :: Maybe FilePath
  , verbosity :: Verbosity
  , template :: FilePath
  }
  deriving (Eq, Read, Show, Data, Generic)

-- | Numbers of values far from the others, by Tukey's fences.
data Outliers = Outliers
  { samplesSeen :: !Int64
  , lowSevere :: !Int64
  , lowMild :: !Int64
  , highMild :: !Int64
  , highSevere :: !Int64
  }
  deriving (Eq, Read, Show, Data, Generic)

instance NFData Outliers

instance Semigroup Outliers where
  Outliers a b c d e <> Outliers a' b' c' d' e' = Outliers (a + a') (b + b') (c + c') (d + d') (e + e')

instance Monoid Outliers where
  mempty = Outliers 0 0 0 0 0

-- | The effect of outliers on the variance.
data OutlierEffect = Unaffected | Slight | Moderate | Severe
  deriving (Eq, Ord, Read, Show, Data, Generic)

instance NFData OutlierEffect

-- | The effect of outliers on the variance, in words and as a fraction.
data OutlierVariance = OutlierVariance
  { ovEffect :: OutlierEffect
  , ovDesc :: String
  , ovFraction :: Double
  }
  deriving (Eq, Read, Show, Data, Generic)

instance NFData OutlierVariance

-- | A linear regression.
data Regression = Regression
  { regResponder :: String
  , regCoeffs :: Map String (Estimate ConfInt Double)
  , regRSquare :: Estimate ConfInt Double
  }
  deriving (Eq, Read, Show, Generic)

instance NFData Regression

-- | A kernel density estimate.
data KDE = KDE
  { kdeType :: String
  , kdeValues :: ListInPlaceOfVector Double
  , kdePDF :: ListInPlaceOfVector Double
  }
  deriving (Eq, Read, Show, Data, Generic)

instance NFData KDE

-- | The analysis of a benchmark's measurements.
data SampleAnalysis = SampleAnalysis
  { anRegress :: [Regression]
  , anMean :: Estimate ConfInt Double
  , anStdDev :: Estimate ConfInt Double
  , anOutlierVar :: OutlierVariance
  }
  deriving (Eq, Read, Show, Generic)

instance NFData SampleAnalysis

-- | The complete result of a benchmark.
data Report = Report
  { reportNumber :: Int
  , reportName :: String
  , reportKeys :: [String]
  , reportMeasured :: ListInPlaceOfVector Measured
  , reportAnalysis :: SampleAnalysis
  , reportOutliers :: Outliers
  , reportKDEs :: [KDE]
  }
  deriving (Eq, Read, Show, Generic)

instance NFData Report

-- | A record in criterion's files.
data DataRecord
  = Measurement Int String (ListInPlaceOfVector Measured)
  | Analysed Report
  deriving (Eq, Read, Show, Generic)

instance NFData DataRecord
