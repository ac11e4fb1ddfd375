{-# LANGUAGE BangPatterns #-}

-- | The bodies, as benchmarks of Derny.
module Main (main) where

import Data.Bits (shiftL, shiftR, xor)
import Data.Word (Word64)
import Derny
import System.Environment (lookupEnv)

main :: IO ()
main = do
  extra <- maybe 0 read <$> lookupEnv "KERNEL_EXTRA"
  let steps = 3200 + extra
  suite [bench "mix" (nf mix steps), bench "allocate" (nf allocate (steps `div` 16))]

mix :: Int -> Word64
mix steps = go steps 88172645463325252
  where
    go :: Int -> Word64 -> Word64
    go 0 !x = x
    go n !x =
      let !a = x `xor` (x `shiftL` 13)
          !b = a `xor` (a `shiftR` 7)
       in go (n - 1) (b `xor` (b `shiftL` 17))
{-# NOINLINE mix #-}

-- Not a good producer in GHC's sense, so that the list cannot be fused away.
allocate :: Int -> [(Int, Int)]
allocate = go []
  where
    go !kept 0 = kept
    go !kept n = go ((n, n) : kept) (n - 1)
{-# NOINLINE allocate #-}
