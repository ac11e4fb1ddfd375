{-# LANGUAGE ExistentialQuantification #-}

-- | The bodies that Derny and the plain loop call. Inputs are values of the module. The first call
-- evaluates them.
module Bodies (Body (..), bodies) where

import Control.DeepSeq (NFData (..))
import Control.Monad (forM_)
import Data.Array.Base (unsafeAt, unsafeRead, unsafeWrite)
import Data.Array.IO (IOUArray, newArray)
import Data.Array.Unboxed (UArray, listArray)
import Data.Bits (shiftL, shiftR, unsafeShiftR, xor)
import qualified Data.ByteString as Bytes
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Char8 as Char8
import qualified Data.ByteString.Lazy as Lazy
import qualified Data.IntMap.Strict as IntMap
import Data.List (foldl', sort)
import qualified Data.Text as Text
import Data.Word (Word64)
import System.IO.Unsafe (unsafePerformIO)

-- | A function and its argument, whose result is evaluated completely, or an action.
data Body
  = forall a b. NFData b => Function (a -> b) a
  | Action (IO Double)

data Node = Node !Int !Int

instance NFData Node where
  rnf (Node _ _) = ()

bodies :: [(String, Body)]
bodies =
  [ ("objects", Function (map (\n -> Node n (n + 1))) shuffled)
  , ("buffer", Function (\n -> Bytes.cons 1 (Bytes.replicate (n - 1) 0)) (64 * 1024))
  , ("strings", Function (map (Text.pack . show)) shuffled)
  , ("join", Function (Text.intercalate (Text.pack " ")) texts)
  , ("builder", Function built shuffled)
  , ("map", Function (foldl' (\m n -> IntMap.insert n n m) IntMap.empty) shuffled)
  , ("sort", Function sort shuffled)
  , ("parse", Function parsed line)
  , ("closures", Function (called . closures) shuffled)
  , ("stream", Function (filter even . map (* 3)) shuffled)
  , ("sum", Function total numbers)
  , ("mix", Function (mixed size) 88172645463325252)
  , ("search", Function (\wanted -> foldl' (\found n -> found + place n) 0 wanted) shuffled)
  , ("matrix", Action multiplied)
  ]

size, rank :: Int
size = 1000
rank = 16

-- Inputs must not be inlined into a body, which could compute with them before it is called.
shuffled :: [Int]
shuffled = [i * 7919 `mod` size | i <- [0 .. size - 1]]
{-# NOINLINE shuffled #-}

texts :: [Text.Text]
texts = [Text.pack ("word" ++ show i) | i <- [0 .. size - 1]]
{-# NOINLINE texts #-}

line :: Bytes.ByteString
line = Char8.unwords (map (Char8.pack . show) shuffled)
{-# NOINLINE line #-}

numbers, left, right :: UArray Int Double
numbers = listArray (0, size - 1) [fromIntegral n / 8 | n <- shuffled]
left = listArray (0, rank * rank - 1) [fromIntegral (i `mod` 7) | i <- [0 .. rank * rank - 1]]
right = listArray (0, rank * rank - 1) [fromIntegral (i `mod` 5) | i <- [0 .. rank * rank - 1]]
{-# NOINLINE numbers #-}
{-# NOINLINE left #-}
{-# NOINLINE right #-}

sorted :: UArray Int Int
sorted = listArray (0, size - 1) [0 ..]
{-# NOINLINE sorted #-}

product' :: IOUArray Int Double
product' = unsafePerformIO (newArray (0, rank * rank - 1) 0)
{-# NOINLINE product' #-}

built :: [Int] -> Lazy.ByteString
built = Builder.toLazyByteString . foldMap (\n -> Builder.intDec n <> Builder.char7 ';')

-- These must not be inlined into each other, because the compiler would then create no closure.
closures :: [Int] -> [Int -> Int]
closures = map xor
{-# NOINLINE closures #-}

called :: [Int -> Int] -> Int
called = foldl' (\acc f -> f acc) 0
{-# NOINLINE called #-}

parsed :: Bytes.ByteString -> [Int]
parsed text = [maybe 0 fst (Char8.readInt word) | word <- Char8.words text]

total :: UArray Int Double -> Double
total array = go 0 0
  where
    go i acc
      | i == size = acc
      | otherwise = go (i + 1) (acc + unsafeAt array i) :: Double

mixed :: Int -> Word64 -> Word64
mixed 0 state = state
mixed n state0 = mixed (n - 1) (state2 `xor` (state2 `shiftL` 17))
  where
    state1 = state0 `xor` (state0 `shiftL` 13)
    state2 = state1 `xor` (state1 `shiftR` 7)

-- | Returns the first index in 'sorted' whose value is not less than the wanted one.
place :: Int -> Int
place value = go 0 size
  where
    go low high
      | low >= high = low
      | unsafeAt sorted middle < value = go (middle + 1) high
      | otherwise = go low middle
      where
        middle = (low + high) `unsafeShiftR` 1

multiplied :: IO Double
multiplied = do
  forM_ [0 .. rank - 1] $ \row ->
    forM_ [0 .. rank - 1] $ \column ->
      unsafeWrite product' (row * rank + column) (cell (row * rank) column 0 0)
  unsafeRead product' (rank + 1)
  where
    cell :: Int -> Int -> Int -> Double -> Double
    cell row column k acc
      | k == rank = acc
      | otherwise = cell row column (k + 1) (acc + unsafeAt left (row + k) * unsafeAt right (k * rank + column))
