{-# LANGUAGE DataKinds, FlexibleContexts #-}
{-# OPTIONS_GHC -Wno-simplifiable-class-constraints #-}

-- | Reports are written by the engine.
module Criterion.Report
  ( formatReport
  , report
  , tidyTails
  , loadTemplate
  , includeFile
  , getTemplateDir
  , vector
  , vector2
  ) where

import Criterion.Absent (Absent)

-- | Cannot be had.
formatReport, report, tidyTails, loadTemplate, includeFile, getTemplateDir, vector, vector2
  :: Absent "microstache" "--output FILE writes a report, and `derny report -o FILE` one of a run that is stored." a => a
formatReport = undefined
report = undefined
tidyTails = undefined
loadTemplate = undefined
includeFile = undefined
getTemplateDir = undefined
vector = undefined
vector2 = undefined
