{-# LANGUAGE DataKinds, FlexibleContexts #-}
{-# OPTIONS_GHC -Wno-simplifiable-class-constraints #-}

-- | criterion's files are read and written by the engine.
module Criterion.IO
  ( header
  , headerRoot
  , critVersion
  , hGetRecords
  , hPutRecords
  , readRecords
  , writeRecords
  , ReportFileContents
  , readJSONReports
  , writeJSONReports
  ) where

import Criterion.Absent (Absent)
import Criterion.Types (Report)

-- | Root of the head, version, reports.
type ReportFileContents = (String, String, [Report])

-- | Cannot be had.
header, headerRoot, critVersion, hGetRecords, hPutRecords, readRecords, writeRecords, readJSONReports, writeJSONReports
  :: Absent "binary or aeson" "`derny import` reads criterion's JSON and CSV, `derny export -f criterion-json` writes it." a => a
header = undefined
headerRoot = undefined
critVersion = undefined
hGetRecords = undefined
hPutRecords = undefined
readRecords = undefined
writeRecords = undefined
readJSONReports = undefined
writeJSONReports = undefined
