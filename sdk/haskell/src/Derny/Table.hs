-- | Tables as the engine writes them: CSV by RFC 4180. Knows no column.
module Derny.Table (rows) where

-- | The fields of every row, the head among them.
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
