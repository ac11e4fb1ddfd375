{-# LANGUAGE BangPatterns, MagicHash, UnboxedTuples #-}
-- Always optimised, regardless of the program's own flags. Full laziness and static argument
-- transformation are off, because they would move computations out of the loops.
{-# OPTIONS_GHC -O2 -fno-full-laziness -fno-static-argument-transformation -fno-prof-auto #-}

-- | The timed loops, which call a function or an action repeatedly. Independent of clocks and
-- cases.
--
-- Each loop is compiled once, in this module, and never inlined. The function and its argument
-- come from outside, so the compiler cannot compute any part of the body in advance. They are
-- arguments of the loop in each iteration, so nothing is loop-invariant. The state token of the
-- next iteration depends on the result, through 'counted', so that no call can be merged with the
-- previous one, moved or removed.
--
-- 'evaluate' would also work, but it allocates a thunk of 32 bytes per call, which would be
-- counted as the body's. Here, the result is already evaluated when it is combined with the
-- token, so nothing is allocated.
module Derny.Loop
  ( whnfLoop
  , nfLoop
  , whnfIOLoop
  , nfIOLoop
  , whnfAppIOLoop
  , nfAppIOLoop
  , eachLoop
  , emptyWhnf
  , emptyNf
  , emptyIO
  , emptyEach
  ) where

import Data.Int (Int64)
import GHC.Exts (RealWorld, State#)
import GHC.IO (IO (..), evaluate)
import GHC.Types (SPEC (..))

-- | Returns the state token after the value has been evaluated.
counted :: a -> State# RealWorld -> (# State# RealWorld, a #)
counted y s = case evaluate y of IO run -> run s
{-# INLINE counted #-}

whnfLoop :: (a -> b) -> a -> Int64 -> IO ()
whnfLoop f0 x0 count = IO (\s -> go SPEC f0 x0 count s)
  where
    go !_ f x !n s
      | n <= 0 = (# s, () #)
      | otherwise = case f x of !y -> case counted y s of (# s', _ #) -> go SPEC f x (n - 1) s'
{-# NOINLINE whnfLoop #-}

nfLoop :: (b -> ()) -> (a -> b) -> a -> Int64 -> IO ()
nfLoop reduce f0 x0 count = IO (\s -> go SPEC f0 x0 count s)
  where
    go !_ f x !n s
      | n <= 0 = (# s, () #)
      | otherwise = case f x of
          !y -> case reduce y of !r -> case counted r s of (# s', _ #) -> go SPEC f x (n - 1) s'
{-# NOINLINE nfLoop #-}

whnfIOLoop :: IO a -> Int64 -> IO ()
whnfIOLoop act0 count = IO (\s -> go SPEC act0 count s)
  where
    go !_ act !n s
      | n <= 0 = (# s, () #)
      | IO run <- act = case run s of (# s', !_ #) -> go SPEC act (n - 1) s'
{-# NOINLINE whnfIOLoop #-}

nfIOLoop :: (a -> ()) -> IO a -> Int64 -> IO ()
nfIOLoop reduce act0 count = IO (\s -> go SPEC act0 count s)
  where
    go !_ act !n s
      | n <= 0 = (# s, () #)
      | IO run <- act = case run s of
          (# s', y #) -> case reduce y of !r -> case counted r s' of (# s'', _ #) -> go SPEC act (n - 1) s''
{-# NOINLINE nfIOLoop #-}

whnfAppIOLoop :: (a -> IO b) -> a -> Int64 -> IO ()
whnfAppIOLoop f0 x0 count = IO (\s -> go SPEC f0 x0 count s)
  where
    go !_ f x !n s
      | n <= 0 = (# s, () #)
      | IO run <- f x = case run s of (# s', !_ #) -> go SPEC f x (n - 1) s'
{-# NOINLINE whnfAppIOLoop #-}

nfAppIOLoop :: (b -> ()) -> (a -> IO b) -> a -> Int64 -> IO ()
nfAppIOLoop reduce f0 x0 count = IO (\s -> go SPEC f0 x0 count s)
  where
    go !_ f x !n s
      | n <= 0 = (# s, () #)
      | IO run <- f x = case run s of
          (# s', y #) -> case reduce y of !r -> case counted r s' of (# s'', _ #) -> go SPEC f x (n - 1) s''
{-# NOINLINE nfAppIOLoop #-}

eachLoop :: (a -> IO b) -> [a] -> IO ()
eachLoop f0 list0 = IO (\s -> go SPEC f0 list0 s)
  where
    go !_ _ [] s = (# s, () #)
    go !_ f (x : rest) s | IO run <- f x = case run s of (# s', !_ #) -> go SPEC f rest s'
{-# NOINLINE eachLoop #-}

-- | The same loops with an empty body, to measure their overhead.
emptyWhnf, emptyNf, emptyIO :: Int64 -> IO ()
emptyWhnf = whnfLoop nothing ()
emptyNf = nfLoop nothing nothing ()
emptyIO = whnfIOLoop (pure ())

-- | Like 'eachLoop' with an empty body.
emptyEach :: [()] -> IO ()
emptyEach = eachLoop pure

nothing :: () -> ()
nothing x = x
{-# NOINLINE nothing #-}
