module Main (main) where

import qualified Data.Set as Set
import Derny

-- All combinations of the values: 2 × 3 = 6 cases per benchmark. n is the outer parameter, because it is the first.
sizeAndPlace :: Axes (Int, String)
sizeAndPlace = (,) <$> param "n" [10, 1000] <*> param "where" ["first", "last", "absent"]

items' :: Int -> [Int]
items' n = [0 .. n - 1]

wanted :: (Int, String) -> Int
wanted (n, place) = case place of
  "first" -> 0
  "last" -> n - 1
  _ -> -1

-- env makes the body's input once per case, untimed. The argument that changes comes last.
main :: IO ()
main = suite
  [ group "search"
      [ cases "list" sizeAndPlace $ \p ->
          env (pure (items' (fst p))) $ \list -> whnf (`elem` list) (wanted p)
      , cases "set" sizeAndPlace $ \p ->
          env (pure (Set.fromList (items' (fst p)))) $ \set -> whnf (`Set.member` set) (wanted p)
      , -- Excludes one combination: an absent item in a short list.
        cases "filter" (keeping (/= (10, "absent")) sizeAndPlace) $ \p ->
          env (pure (items' (fst p))) $ \list -> nf (\w -> filter (== w) list) (wanted p)
      ]
  ]
