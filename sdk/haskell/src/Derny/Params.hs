{-# LANGUAGE ExistentialQuantification, FlexibleInstances #-}

-- | Parameters: names, their values, and all combinations of them. Knows no benchmark.
module Derny.Params (Value (..), Axes, param, keeping, axesOf, combinations, chosen) where

import Data.Int (Int64)
import Data.List ((\\))
import Data.Word (Word64)
import Text.Read (readMaybe)

-- | Possible values of a parameter. They are text on the command line and in the names of cases.
class Value a where
  -- | As it is shown.
  toText :: a -> String

  -- | Parses the text that was typed.
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

-- | The parameters of a benchmark and the value they produce; the first parameter is the outermost. Combine them with
-- '<$>' and '<*>'.
data Axes a = Axes
  { axesOf :: [(String, [String])]
  -- ^ Names and values.
  , choose :: [(String, String)] -> Either String (Maybe a)
  }

instance Functor Axes where
  fmap f (Axes axes pick) = Axes axes (fmap (fmap (fmap f)) pick)

instance Applicative Axes where
  pure value = Axes [] (const (Right (Just value)))
  Axes axes pick <*> Axes axes' pick' = Axes (axes ++ axes') (\given -> (<*>) <$> pick given <*> pick' given)

-- | A parameter and its values, which may be replaced on the command line.
param :: Value a => String -> [a] -> Axes a
param name values = Axes [(name, map toText values)] pick
  where
    pick given = case lookup name given of
      Nothing -> Left ("the parameter " ++ name ++ " needs a value")
      Just text -> maybe (Left ("the parameter " ++ name ++ " cannot be `" ++ text ++ "`")) (Right . Just) (fromText text)

-- | Only the combinations that satisfy the predicate.
keeping :: (a -> Bool) -> Axes a -> Axes a
keeping wanted (Axes axes pick) = Axes axes (fmap (fmap (>>= keep)) pick)
  where
    keep value = if wanted value then Just value else Nothing

-- | All combinations that the filter keeps, with the given values instead of the declared ones.
combinations :: [(String, [String])] -> Axes a -> Either String [([(String, String)], a)]
combinations given axes = fmap concat (mapM kept (every (map replaced (axesOf axes))))
  where
    replaced (name, values) = (name, maybe values id (lookup name given))
    every = mapM (\(name, values) -> [(name, text) | text <- values])
    kept combination = maybe [] (\value -> [(combination, value)]) <$> choose axes combination

-- | The value that these parameters produce.
chosen :: Axes a -> [(String, String)] -> Either String a
chosen axes given
  | strange : _ <- map fst given \\ map fst (axesOf axes) = Left ("there is no parameter " ++ strange)
  | otherwise = choose axes given >>= maybe (Left "this combination is excluded") Right
