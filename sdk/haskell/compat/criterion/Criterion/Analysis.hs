{-# LANGUAGE DataKinds, FlexibleContexts #-}
{-# OPTIONS_GHC -Wno-simplifiable-class-constraints #-}

-- | Types of an analysis. Its functions work on vectors, and the engine analyses.
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

-- | Cannot be had.
analyseSample, scale, analyseMean, countOutliers, classifyOutliers, noteOutliers, outlierVariance, resolveAccessors, validateAccessors, regress
  :: Absent "vector" "Criterion.benchmark' measures and analyses; so does the engine, and `derny export -f criterion-json` tells all of it." a => a
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
