{-# LANGUAGE DataKinds, FlexibleContexts #-}
{-# OPTIONS_GHC -Wno-simplifiable-class-constraints #-}

-- | The types of criterion's analysis. Its functions are not available: they need vectors, and
-- the engine does the analysis.
module Criterion.Analysis
  ( Outliers (..)
  , OutlierEffect (..)
  , OutlierVariance (..)
  , SampleAnalysis (..)
  , analyseSample
  , scale
  , analyseMean
  , countOutliers
  , classifyOutliers
  , noteOutliers
  , outlierVariance
  , resolveAccessors
  , validateAccessors
  , regress
  ) where

import Criterion.Absent (Absent)
import Criterion.Types (OutlierEffect (..), OutlierVariance (..), Outliers (..), SampleAnalysis (..))

-- | Not available. The type error names an alternative.
analyseSample, scale, analyseMean, countOutliers, classifyOutliers, noteOutliers, outlierVariance, resolveAccessors, validateAccessors, regress
  :: Absent "vector" "use Criterion.benchmark', or the engine: `derny export -f criterion-json` prints its analysis." a => a
analyseSample = undefined
scale = undefined
analyseMean = undefined
countOutliers = undefined
classifyOutliers = undefined
noteOutliers = undefined
outlierVariance = undefined
resolveAccessors = undefined
validateAccessors = undefined
regress = undefined
