-- | Selects benchmarks by name.
module Criterion.Match (makeMatcher, glob) where

import Criterion.Main.Options (MatchType (..))
import Data.Char (toLower)
import Data.List (isInfixOf, isPrefixOf, tails)
import Data.Maybe (mapMaybe)
import Derny.Awk (expression)

-- | Returns a predicate for the names that the patterns select. No patterns select all names. Fails if a
-- glob is invalid.
makeMatcher :: MatchType -> [String] -> Either String (String -> Bool)
makeMatcher _ [] = Right (const True)
makeMatcher kind words' = case kind of
  Prefix -> Right (\name -> any (`isPrefixOf` name) words')
  -- With tasty-bench, the argument of -p may be an expression.
  Pattern -> Right (\name -> any (`isInfixOf` name) words' || any ($ name) (mapMaybe expression words'))
  IPattern -> Right (\name -> any ((`isInfixOf` small name) . small) words')
  Glob -> (\globs name -> any ($ name) globs) <$> mapM glob words'
  where
    small = map toLower

-- | Compiles a Unix glob to a predicate for paths. @?@ and @*@ do not match slashes, @**/@ matches any
-- number of folders, @[a-z]@ and @[!a-z]@ match sets of characters, and @\\@ escapes the next
-- character. Fails if a bracket is not closed.
glob :: String -> Either String (String -> Bool)
glob pattern = matches <$> compile pattern

data Token
  = Only Char
  | AnyOne
  | AnyPart
  | AnyParts
  | OneOf Bool [(Char, Char)]

compile :: String -> Either String [Token]
compile text = case text of
  [] -> Right []
  '*' : '*' : '/' : rest -> (AnyParts :) <$> compile rest
  '*' : rest -> (AnyPart :) <$> compile rest
  '?' : rest -> (AnyOne :) <$> compile rest
  '\\' : c : rest -> (Only c :) <$> compile rest
  '[' : rest -> do
    let (negated, body) = case rest of
          c : more | c `elem` "!^" -> (True, more)
          _ -> (False, rest)
    (ranges, after) <- set body
    (OneOf (not negated) ranges :) <$> compile after
  c : rest -> (Only c :) <$> compile rest

set :: String -> Either String ([(Char, Char)], String)
set text = case text of
  -- A closing bracket that comes first is literal.
  ']' : rest -> go [(']', ']')] rest
  _ -> go [] text
  where
    go found rest = case rest of
      ']' : after -> Right (found, after)
      a : '-' : b : more | b /= ']' -> go ((a, b) : found) more
      a : more -> go ((a, a) : found) more
      [] -> Left "unclosed bracket in glob"

matches :: [Token] -> String -> Bool
matches tokens text = case (tokens, text) of
  ([], _) -> null text
  (AnyParts : rest, _) -> any (matches rest) (text : [after | '/' : after <- tails text])
  (AnyPart : rest, _) -> any (matches rest) (ends text)
  (Only c : rest, d : more) -> c == d && matches rest more
  (AnyOne : rest, d : more) -> d /= '/' && matches rest more
  (OneOf wanted ranges : rest, d : more) -> d /= '/' && any (\(a, b) -> a <= d && d <= b) ranges == wanted && matches rest more
  (_, []) -> False
  where
    ends whole = let (part, _) = break (== '/') whole in map (`drop` whole) [0 .. length part]
