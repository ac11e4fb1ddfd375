-- | Tasty patterns: AWK expressions about the path of a benchmark, such as @$NF == "sum" &&
-- $(NF-1) == "strict"@.
--
-- Fields are the parts of the path. The first is @All@, the name of the root. @NF@ is the number
-- of fields. @$0@ is all fields joined with dots. Text between slashes is searched
-- for literally. Functions are not supported.
module Derny.Awk (expression) where

import Data.Char (isDigit)
import Data.Function (on)
import Data.List (intercalate, isInfixOf)
import Text.ParserCombinators.ReadP

type Expression = [String] -> Value

data Value = Number Int | Text String

-- | Parses an expression. Returns a predicate for names with slashes, or nothing if the text is not
-- an expression.
expression :: String -> Maybe (String -> Bool)
expression text = case [found | any (`elem` text) "$/\"", (found, "") <- readP_to_S (skipSpaces *> disjunction <* eof) text] of
  found : _ -> Just (true . found . path)
  [] -> Nothing
  where
    path name = "All" : parts name
    parts name = case break (== '/') name of
      (part, _ : rest) -> part : parts rest
      (part, []) -> [part]

disjunction, conjunction, negation, comparison, total, single :: ReadP Expression
disjunction = chainl1 conjunction (logical (||) <$ word "||")
conjunction = chainl1 negation (logical (&&) <$ word "&&")
negation = ((\e -> truth . not . true . e) <$> (word "!" *> negation)) <++ comparison
comparison = do
  left <- total
  option left (operator >>= \join -> (\right -> \p -> truth (join (left p) (right p))) <$> (literal <++ total))
  where
    operator =
      foldr1
        (<++)
        [ same <$ word "=="
        , (\a b -> not (same a b)) <$ word "!="
        , (flip isInfixOf `on` shown) <$ word "~"
        , (\a b -> not (shown b `isInfixOf` shown a)) <$ word "!~"
        ]
    literal = const . Text <$> slashed
total = chainl1 single ((arithmetic (+) <$ word "+") +++ (arithmetic (-) <$ word "-"))
single =
  foldr1
    (<++)
    [ between (word "(") (word ")") disjunction
    , field <$> (word "$" *> single)
    , (Number . length) <$ word "NF"
    , const . Number . read <$> munch1 isDigit <* skipSpaces
    , const . Text <$> (char '"' *> many (satisfy (`notElem` "\"\\") +++ (char '\\' *> get)) <* word "\"")
    , (\text p -> truth (text `isInfixOf` intercalate "." p)) <$> slashed
    ]

slashed :: ReadP String
slashed = char '/' *> munch1 (/= '/') <* word "/"

word :: String -> ReadP String
word text = string text <* skipSpaces

field :: Expression -> Expression
field index p = case index p of
  Number 0 -> Text (intercalate "." p)
  Number n | n > 0, part : _ <- drop (n - 1) p -> Text part
  _ -> Text ""

logical :: (Bool -> Bool -> Bool) -> Expression -> Expression -> Expression
logical join a b p = truth (join (true (a p)) (true (b p)))

arithmetic :: (Int -> Int -> Int) -> Expression -> Expression -> Expression
arithmetic join a b p = Number (join (number (a p)) (number (b p)))

true :: Value -> Bool
true (Number n) = n /= 0
true (Text text) = not (null text)

truth :: Bool -> Value
truth = Number . fromEnum

number :: Value -> Int
number (Number n) = n
number (Text text) = case span isDigit text of
  (digits@(_ : _), _) -> read digits
  _ -> 0

shown :: Value -> String
shown (Number n) = show n
shown (Text text) = text

same :: Value -> Value -> Bool
same (Number a) (Number b) = a == b
same a b = shown a == shown b
