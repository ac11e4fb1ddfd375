{-# LANGUAGE ExistentialQuantification #-}

-- | Names, groups and parameters of benchmarks. Independent of the clock and the protocol.
module Derny.Registry
  ( Benchmark
  , Definition (..)
  , Reference (..)
  , bench
  , cases
  , group
  , compared
  , comparedWithin
  , named
  , definitions
  , selected
  ) where

import Data.Char (toLower)
import Data.List (isInfixOf)
import qualified Data.Map.Strict as Map
import Derny.Awk (expression)
import Derny.Body (Body)
import Derny.Params (Axes)
import GHC.Stack (HasCallStack, SrcLoc (..), callStack, getCallStack)

-- | A benchmark, or a group of benchmarks.
data Benchmark
  = One Definition
  | Group String [Benchmark]

-- | A benchmark with a body for each combination of its parameters.
data Definition = forall a. Definition
  { name :: String
  , axes :: Axes a
  , body :: a -> Body
  , place :: Maybe (FilePath, Int)
  , reference :: Maybe Reference
  }

-- | The benchmark to compare another one with: its full or partial name, and bounds for the ratio.
data Reference = Reference String (Double, Double) deriving (Eq, Show)

-- | Defines a benchmark without parameters.
bench :: HasCallStack => String -> Body -> Benchmark
bench title body' = One (Definition title (pure ()) (const body') here Nothing)
  where
    here = site (getCallStack callStack)

-- | Defines a benchmark with a case for each combination of its parameters.
cases :: HasCallStack => String -> Axes a -> (a -> Body) -> Benchmark
cases title axes' body' = One (Definition title axes' body' here Nothing)
  where
    here = site (getCallStack callStack)

-- | Defines a benchmark without a source location.
named :: String -> Body -> Benchmark
named title body' = One (Definition title (pure ()) (const body') Nothing Nothing)

-- | Groups benchmarks: @group "a" [bench "b" …]@ defines the benchmark @a/b@.
group :: String -> [Benchmark] -> Benchmark
group = Group

-- | Compares a benchmark with another one of the program, which is given by its full name or a part
-- of it. If a user started the program, it measures the two in pairs after all other benchmarks.
compared :: String -> Benchmark -> Benchmark
compared = comparedWithin (0, 1 / 0)

-- | Like 'compared', with bounds for the ratio of the benchmark's time to that of the other one. If
-- the ratio is outside of the bounds, the program exits with status 1. The interval is reported
-- but not considered, so choose bounds that are far from the expected ratio.
comparedWithin :: (Double, Double) -> String -> Benchmark -> Benchmark
comparedWithin bounds title tree = case tree of
  One definition -> One definition {reference = Just (Reference title bounds)}
  Group name' inner -> Group name' (map (comparedWithin bounds title) inner)

site :: [(String, SrcLoc)] -> Maybe (FilePath, Int)
site stack = case stack of
  (_, location) : _ -> Just (srcLocFile location, srcLocStartLine location)
  [] -> Nothing

-- | Returns all benchmarks with full names. Repeated names are made unique: the second @a/b@
-- becomes @a/b #2@, or gets the next free number.
definitions :: [Benchmark] -> [Definition]
definitions tree = distinct Map.empty all'
  where
    all' = concatMap (flat "") tree
    called definition = if null (name definition) then "unnamed" else name definition
    given = Map.fromList [(called definition, ()) | definition <- all']
    flat prefix (One definition) = [definition {name = join prefix (name definition)}]
    flat prefix (Group title inner) = concatMap (flat (join prefix title)) inner
    join "" "" = ""
    join "" title = title
    join prefix title = prefix ++ "/" ++ title
    distinct _ [] = []
    distinct seen (definition : rest) =
      let title = called definition
          numbered count = title ++ " #" ++ show count
          free count = if Map.member (numbered count) given then free (count + 1) else count
          count = maybe (1 :: Int) (free . (+ 1)) (Map.lookup title seen)
          own = if count == 1 then title else numbered count
       in definition {name = own} : distinct (Map.insert title count seen) rest

-- | Returns the single benchmark that a text selects: by its full name, or else by a part of the
-- name, ignoring case, or else by a tasty pattern. Fails if none or several match.
selected :: String -> [Definition] -> Either String String
selected text all' = case (filter (== text) names, filter (within . map toLower) names, filter byExpression names) of
  (found : _, _, _) -> Right found
  ([], [], []) -> Left ("no benchmark matches `" ++ text ++ "`")
  ([], [found], _) -> Right found
  ([], [], [found]) -> Right found
  ([], some, others) -> Left ("`" ++ text ++ "` matches " ++ show (length (if null some then others else some)) ++ " benchmarks")
  where
    names = map name all'
    within = (map toLower text `isInfixOf`)
    byExpression = maybe (const False) id (expression text)
