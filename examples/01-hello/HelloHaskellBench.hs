module Main (main) where

import Data.List (foldl')
import Derny

ws :: [String]
ws = [ "word" ++ show i | i <- [0 .. 99 :: Int] ]

main :: IO ()
main = suite
  [ bench "join" (nf unwords ws)
  , bench "concatenate" (nf (foldl' (\text w -> text ++ ' ' : w) "") ws)
  ]
