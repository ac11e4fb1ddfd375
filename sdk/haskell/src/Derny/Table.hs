-- | Parses CSV as the engine writes it (RFC 4180). Independent of the columns.
module Derny.Table (rows) where

-- | Returns the fields of all rows, including the header.
rows :: String -> [[String]]
rows [] = []
rows text = let (row, rest) = fields text in row : rows rest
  where
    fields inRow = case field inRow of
      (value, ',' : rest) -> let (values, after) = fields rest in (value : values, after)
      (value, rest) -> ([value], drop 1 (dropWhile (== '\r') rest))
    field ('"' : quotes) = quoted quotes
    field plain = break (`elem` ",\r\n") plain
    quoted ('"' : '"' : rest) = let (value, after) = quoted rest in ('"' : value, after)
    quoted ('"' : rest) = ("", rest)
    quoted (c : rest) = let (value, after) = quoted rest in (c : value, after)
    quoted [] = ("", "")
