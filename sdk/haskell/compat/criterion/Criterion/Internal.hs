-- | Measures and analyses within this process, for interactive sessions and for programs that
-- compute with the result. Programs with a 'Criterion.Main.defaultMain' use the engine instead.
--
-- This module computes the same statistics as criterion: a regression of time on iterations over
-- all measurements, and the mean and standard deviation of measurements of at least 30 ms.
-- Intervals are percentiles of a bootstrap. Its seed is fixed, so the same measurements give the
-- same interval.
module Criterion.Internal (runAndAnalyseOne, analyse, summary) where

import Control.Monad.IO.Class (liftIO)
import Criterion.Measurement (runBenchmark, secs, threshold)
import Criterion.Monad (Criterion, configured)
import Criterion.Types
import Data.Bits (shiftR, xor)
import Data.List (sort)
import qualified Data.Map as Map
import Data.Word (Word64)
import Statistics.Types (ConfInt (..), Estimate (..), confidenceLevel)
import Text.Printf (printf)

-- | Measures a benchmark for the configured time.
runAndAnalyseOne :: Int -> String -> Benchmarkable -> Criterion DataRecord
runAndAnalyseOne number name it = do
  config <- configured
  (measurements, _) <- liftIO (runBenchmark it (timeLimit config))
  pure (Analysed (analyse config number name measurements))

-- | Returns the analysis of measurements.
analyse :: Config -> Int -> String -> [Measured] -> Report
analyse config number name measurements =
  Report
    { reportNumber = number
    , reportName = name
    , reportKeys = measureKeys
    , reportMeasured = measurements
    , reportAnalysis =
        SampleAnalysis
          { anRegress = [Regression "time" (Map.fromList [("iters", slope), ("y", intercept)]) rSquare]
          , anMean = estimate mean values
          , anStdDev = estimate deviation values
          , anOutlierVar = OutlierVariance Unaffected "not computed within this process" 0
          }
    , reportOutliers = outliers values
    , reportKDEs = []
    }
  where
    level = confidenceLevel (confInterval config)
    points = [(fromIntegral (measIters m), measTime m) | m <- measurements] :: [(Double, Double)]
    long = filter ((>= threshold) . measTime) measurements
    used = if length long < 2 then measurements else long
    values = [measTime m / fromIntegral (measIters m) | m <- used]
    estimate :: ([Double] -> Double) -> [Double] -> Estimate ConfInt Double
    estimate statistic = interval level (resamples config) statistic
    [slope, intercept, rSquare] = [interval level (resamples config) (part . line) points | part <- [first, second, third]]
    first (a, _, _) = a
    second (_, b, _) = b
    third (_, _, c) = c

    interval :: Double -> Int -> ([a] -> Double) -> [a] -> Estimate ConfInt Double
    interval wanted count statistic sample = Estimate point (ConfInt (point - low) (high - point) (confInterval config))
      where
        point = statistic sample
        drawn = sort (map statistic (redrawn (max 1 count) sample))
        at q = drawn !! min (length drawn - 1) (max 0 (floor (q * fromIntegral (length drawn)) :: Int))
        (low, high) = (at ((1 - wanted) / 2), at ((1 + wanted) / 2))

mean, deviation :: [Double] -> Double
mean xs = sum xs / fromIntegral (length xs)
deviation xs = sqrt (sum [(x - m) ^ (2 :: Int) | x <- xs] / fromIntegral (max 1 (length xs - 1)))
  where
    m = mean xs

line :: [(Double, Double)] -> (Double, Double, Double)
line points = (slope, intercept, if total == 0 then 1 else 1 - rest / total)
  where
    (mx, my) = (mean (map fst points), mean (map snd points))
    sxx = sum [(x - mx) ^ (2 :: Int) | (x, _) <- points]
    slope = if sxx == 0 then 0 else sum [(x - mx) * (y - my) | (x, y) <- points] / sxx
    intercept = my - slope * mx
    rest = sum [(y - intercept - slope * x) ^ (2 :: Int) | (x, y) <- points]
    total = sum [(y - my) ^ (2 :: Int) | (_, y) <- points]

-- | Returns bootstrap samples, which are drawn with replacement. The seed is fixed.
redrawn :: Int -> [a] -> [[a]]
redrawn count sample = take count (go (splitMix 1))
  where
    size = length sample
    byIndex = Map.fromDistinctAscList (zip [0 :: Int ..] sample)
    go numbers = let (now', later) = splitAt size numbers in map pick now' : go later
    pick n = byIndex Map.! fromIntegral (n `mod` fromIntegral size)

-- | The generator SplitMix64 (Steele, Lea and Flood 2014).
splitMix :: Word64 -> [Word64]
splitMix seed = map mixed (iterate (+ 0x9e3779b97f4a7c15) seed)
  where
    mixed z0 =
      let z1 = (z0 `xor` (z0 `shiftR` 30)) * 0xbf58476d1ce4e5b9
          z2 = (z1 `xor` (z1 `shiftR` 27)) * 0x94d049bb133111eb
       in z2 `xor` (z2 `shiftR` 31)

outliers :: [Double] -> Outliers
outliers xs = Outliers (fromIntegral n) (count (<= q1 - 3 * iqr)) (count (\x -> x > q1 - 3 * iqr && x <= q1 - 1.5 * iqr)) mild severe
  where
    n = length xs
    sorted = sort xs
    quartile q = sorted !! min (n - 1) (floor (q * fromIntegral n :: Double))
    (q1, q3) = (quartile 0.25, quartile 0.75)
    iqr = q3 - q1
    -- If the quartiles are equal, there are no outliers.
    count p = if iqr == 0 then 0 else fromIntegral (length (filter p xs))
    mild = count (\x -> x >= q3 + 1.5 * iqr && x < q3 + 3 * iqr)
    severe = count (>= q3 + 3 * iqr)

-- | Formats a report as criterion prints it.
summary :: Report -> String
summary report = unlines (map row (concatMap line' (anRegress a) ++ [("mean", secs, anMean a), ("std dev", secs, anStdDev a)]))
  where
    a = reportAnalysis report
    line' regression = [("time", secs, regCoeffs regression Map.! "iters"), ("R²", printf "%.3f", regRSquare regression)]
    row :: (String, Double -> String, Estimate ConfInt Double) -> String
    row (name, shown, Estimate x (ConfInt l u _)) =
      padded 20 name ++ padded 10 (shown x) ++ " (" ++ shown (x - l) ++ " .. " ++ shown (x + u) ++ ")"
    padded n text = text ++ replicate (n - length text) ' '
