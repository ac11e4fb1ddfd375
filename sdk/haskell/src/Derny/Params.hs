{-# LANGUAGE ExistentialQuantification, FlexibleInstances #-}

-- | Parameters, their values, and all combinations of them. Independent of benchmarks.
module Derny.Params (Value (..), Axes, param, keeping, axesOf, combinations, chosen) where

import Data.Int (Int64)
import Data.List ((\\))
import Data.Word (Word64)
import Text.Read (readMaybe)

-- | Types of parameter values. On the command line and in names of cases, values are text.
class Value a where
  -- | Formats a value.
  toText :: a -> String

  -- | Parses a value, or returns nothing if the text is invalid.
  fromText :: String -> Maybe a

instance Value Int where toText = show; fromText = readMaybe
instance Value Integer where toText = show; fromText = readMaybe
instance Value Int64 where toText = show; fromText = readMaybe
instance Value Word where toText = show; fromText = readMaybe
instance Value Word64 where toText = show; fromText = readMaybe
instance Value Bool where toText = show; fromText = readMaybe
instance Value [Char] where toText = id; fromText = Just

instance Value Double where
  toText n = if fromIntegral whole == n then show whole else show n where whole = round n :: Integer
  fromText text = case readMaybe text of
    Just n -> Just n
    Nothing -> fromInteger <$> readMaybe text

-- | The parameters of a benchmark, and the function that makes a value from them. The first parameter
-- varies slowest. Combine parameters with '<$>' and '<*>'.
data Axes a = Axes
  { axesOf :: [(String, [String])]
  -- ^ The names and values of the parameters.
  , choose :: [(String, String)] -> Either String (Maybe a)
  }

instance Functor Axes where
  fmap f (Axes axes pick) = Axes axes (fmap (fmap (fmap f)) pick)

instance Applicative Axes where
  pure value = Axes [] (const (Right (Just value)))
  Axes axes pick <*> Axes axes' pick' = Axes (axes ++ axes') (\given -> (<*>) <$> pick given <*> pick' given)

-- | A parameter and its values. The command line may replace the values.
param :: Value a => String -> [a] -> Axes a
param name values = Axes [(name, map toText values)] pick
  where
    pick given = case lookup name given of
      Nothing -> Left ("the parameter " ++ name ++ " needs a value")
      Just text -> maybe (Left ("invalid value of the parameter " ++ name ++ ": `" ++ text ++ "`")) (Right . Just) (fromText text)

-- | Keeps only the combinations that satisfy the predicate.
keeping :: (a -> Bool) -> Axes a -> Axes a
keeping wanted (Axes axes pick) = Axes axes (fmap (fmap (>>= keep)) pick)
  where
    keep value = if wanted value then Just value else Nothing

-- | Returns all combinations that the filters keep. Given values replace the declared ones.
combinations :: [(String, [String])] -> Axes a -> Either String [([(String, String)], a)]
combinations given axes = fmap concat (mapM kept (every (map replaced (axesOf axes))))
  where
    replaced (name, values) = (name, maybe values id (lookup name given))
    every = mapM (\(name, values) -> [(name, text) | text <- values])
    kept combination = maybe [] (\value -> [(combination, value)]) <$> choose axes combination

-- | Returns the value for these parameters. Fails if one is missing, unknown or invalid, or if a
-- filter excludes the combination.
chosen :: Axes a -> [(String, String)] -> Either String a
chosen axes given
  | strange : _ <- map fst given \\ map fst (axesOf axes) = Left ("there is no parameter " ++ strange)
  | otherwise = choose axes given >>= maybe (Left "a filter excludes this combination of parameters") Right
