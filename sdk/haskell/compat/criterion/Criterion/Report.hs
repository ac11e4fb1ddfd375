{-# LANGUAGE DataKinds, FlexibleContexts #-}
{-# OPTIONS_GHC -Wno-simplifiable-class-constraints #-}

-- | Reports. The engine writes them.
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

-- | Not available. The type error names an alternative.
formatReport, report, tidyTails, loadTemplate, includeFile, getTemplateDir, vector, vector2
  :: Absent "microstache" "use --output FILE to write a report, or `derny report -o FILE` for a stored run." a => a
formatReport = undefined
report = undefined
tidyTails = undefined
loadTemplate = undefined
includeFile = undefined
getTemplateDir = undefined
vector = undefined
vector2 = undefined
