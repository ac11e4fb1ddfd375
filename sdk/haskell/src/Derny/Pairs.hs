-- | Compares benchmarks with others of the same program. Each such benchmark is measured again in
-- pairs with the other one, and the ratio of their times is checked against its bounds. Builds the
-- engine's command line and reads its table.
module Derny.Pairs (held, inPairs, ratioOf, isWithin) where

import Control.Monad (forM)
import Data.Maybe (fromMaybe, listToMaybe)
import Derny.Registry (Benchmark, Definition (..), Reference (..), definitions, selected)
import Derny.Start (Engine, complain, engineRuns)
import Derny.Table (rows)
import System.Exit (ExitCode (..), exitWith)
import System.Process (readProcess)
import Text.Printf (printf)
import Text.Read (readMaybe)

-- | Returns the benchmarks to compare, each with its reference.
held :: [Benchmark] -> [(String, Reference)]
held tree = [(name d, other) | d@Definition {reference = Just other} <- definitions tree]

-- | Measures all pairs. Then exits with a failure if a measurement failed or a ratio is outside of
-- its bounds.
inPairs :: Engine -> [String] -> [String] -> [Benchmark] -> IO ()
inPairs engine options command tree = do
  statuses <- forM (held tree) (against engine options command (definitions tree))
  let bad = filter (/= ExitSuccess) statuses
  -- A failed measurement takes precedence over a ratio outside of its bounds.
  mapM_ exitWith (listToMaybe (filter (/= ExitFailure 1) bad ++ bad))

against :: Engine -> [String] -> [String] -> [Definition] -> (String, Reference) -> IO ExitCode
against engine options command all' (title, Reference text bounds) = case selected text all' of
  Left why -> complain (title ++ ": " ++ why) >> pure (ExitFailure 2)
  Right other -> do
    status <- engineRuns engine (["run", "-x", "reference:" ++ other, "-x", "this:" ++ title] ++ options ++ ["*/" ++ other, "--"] ++ command)
    if status /= ExitSuccess || bounds == (0, 1 / 0)
      then pure status
      else do
        ratio <- ratioOf <$> readProcess engine ["-q", "compare", "last", "-f", "csv"] ""
        case ratio of
          Nothing -> complain (title ++ " could not be compared with " ++ other) >> pure (ExitFailure 3)
          Just found -> if isWithin bounds found then pure ExitSuccess else ExitFailure 1 <$ complain (told other found)
  where
    told :: String -> (Double, Double, Double) -> String
    told other (ratio, low, high) =
      printf "%s takes %.3f times as long as %s (%.3f to %.3f), which is not between %s and %s" title ratio other low high (show (fst bounds)) (show (snd bounds))

-- | Returns the ratio of times in a comparison, and the ends of its interval. Without an interval,
-- all three are the ratio.
ratioOf :: String -> Maybe (Double, Double, Double)
ratioOf table = case rows table of
  heads : body -> do
    let get row column = lookup column (zip heads row)
        number row column = (1 +) <$> (readMaybe =<< get row column)
    row <- listToMaybe (filter ((== Just "typical") . (`get` "statistic")) body)
    value <- number row "change"
    Just (value, fromMaybe value (number row "change_lo"), fromMaybe value (number row "change_hi"))
  [] -> Nothing

-- | Returns true if the ratio is within the bounds. As in tasty-bench, the interval is not
-- considered.
isWithin :: (Double, Double) -> (Double, Double, Double) -> Bool
isWithin (least, most) (ratio, _, _) = ratio >= least && ratio <= most
