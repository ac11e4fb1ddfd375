{-# LANGUAGE ExistentialQuantification #-}

-- | Benchmarks: names, groups, parameters. Independent of the clock and the protocol.
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

-- | A benchmark, or a group of them.
data Benchmark
  = One Definition
  | Group String [Benchmark]

-- | A benchmark with a body for every combination of its parameters.
data Definition = forall a. Definition
  { name :: String
  , axes :: Axes a
  , body :: a -> Body
  , place :: Maybe (FilePath, Int)
  , reference :: Maybe Reference
  }

-- | The benchmark that another one is compared with: a text that names it, and the bounds of their ratio.
data Reference = Reference String (Double, Double) deriving (Eq, Show)

-- | A benchmark without parameters.
bench :: HasCallStack => String -> Body -> Benchmark
bench title body' = One (Definition title (pure ()) (const body') here Nothing)
  where
    here = site (getCallStack callStack)

-- | A benchmark with a case for every combination of its parameters.
cases :: HasCallStack => String -> Axes a -> (a -> Body) -> Benchmark
cases title axes' body' = One (Definition title axes' body' here Nothing)
  where
    here = site (getCallStack callStack)

-- | A benchmark whose place is not known.
named :: String -> Body -> Benchmark
named title body' = One (Definition title (pure ()) (const body') Nothing Nothing)

-- | Benchmarks under a common name: @group "a" [bench "b" …]@ has the benchmark @a/b@.
group :: String -> [Benchmark] -> Benchmark
group = Group

-- | Holds a benchmark against another one of the program, named in full or by a part of its name: started by a user,
-- the program measures the two in pairs after everything else.
compared :: String -> Benchmark -> Benchmark
compared = comparedWithin (0, 1 / 0)

-- | The same, with bounds for the time of this benchmark divided by that of the other one. Outside of them the program ends
-- with status 1. The interval is reported but not judged: use bounds that are far from the expected ratio.
comparedWithin :: (Double, Double) -> String -> Benchmark -> Benchmark
comparedWithin bounds title tree = case tree of
  One definition -> One definition {reference = Just (Reference title bounds)}
  Group name' inner -> Group name' (map (comparedWithin bounds title) inner)

site :: [(String, SrcLoc)] -> Maybe (FilePath, Int)
site stack = case stack of
  (_, location) : _ -> Just (srcLocFile location, srcLocStartLine location)
  [] -> Nothing

-- | All benchmarks with their full names, which are made unique: the second @a/b@ is @a/b #2@, or has the next number that is free.
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

-- | The one benchmark that a text names: in full, else the only one that has it in its name, in small letters or capitals, else
-- the only one that satisfies it as an expression.
selected :: String -> [Definition] -> Either String String
selected text all' = case (filter (== text) names, filter (within . map toLower) names, filter byExpression names) of
  (found : _, _, _) -> Right found
  ([], [], []) -> Left ("no benchmark is named `" ++ text ++ "`")
  ([], [found], _) -> Right found
  ([], [], [found]) -> Right found
  ([], some, others) -> Left ("`" ++ text ++ "` names " ++ show (length (if null some then others else some)) ++ " benchmarks")
  where
    names = map name all'
    within = (map toLower text `isInfixOf`)
    byExpression = maybe (const False) id (expression text)
