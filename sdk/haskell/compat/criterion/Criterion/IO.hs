{-# LANGUAGE DataKinds, FlexibleContexts #-}
{-# OPTIONS_GHC -Wno-simplifiable-class-constraints #-}

-- | Criterion's files. The engine reads and writes them.
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

-- | Root of the header, version, and reports.
type ReportFileContents = (String, String, [Report])

-- | Not available. The type error names an alternative.
header, headerRoot, critVersion, hGetRecords, hPutRecords, readRecords, writeRecords, readJSONReports, writeJSONReports
  :: Absent "binary or aeson" "use `derny import` to read criterion's JSON and CSV, and `derny export -f criterion-json` to write JSON." a => a
header = undefined
headerRoot = undefined
critVersion = undefined
hGetRecords = undefined
hPutRecords = undefined
readRecords = undefined
writeRecords = undefined
readJSONReports = undefined
writeJSONReports = undefined
