{-# LANGUAGE BangPatterns, MagicHash, UnboxedTuples #-}
-- Optimised whatever the program's own flags are. Without full laziness and static arguments, nothing that a loop computes
-- anew is taken out of it.
{-# OPTIONS_GHC -O2 -fno-full-laziness -fno-static-argument-transformation -fno-prof-auto #-}

-- | The timed loops: a function or an action, called so many times. They know no clock and no case.
--
-- Every loop is compiled once, here, and never inlined: function and argument come in from outside, so that the compiler
-- can compute nothing of the body in advance. They are arguments of the loop in every round, so there is nothing invariant
-- to take out; and the state token that the next round needs comes from the result, through 'counted', so no call can be
-- merged with the one before it, moved or left out.
--
-- 'evaluate' of the application would do as well, but it makes a thunk: 32 bytes of each call, which
-- would be counted as the body's own. Here the result is there when it meets the token, and nothing is allocated.
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

-- | Hands the token on once the value is there.
counted :: a -> State# RealWorld -> (# State# RealWorld, a #)
counted y s = case evaluate y of IO run -> run s
{-# INLINE counted #-}

-- | @f x@ to weak head normal form, n times.
whnfLoop :: (a -> b) -> a -> Int64 -> IO ()
whnfLoop f0 x0 count = IO (\s -> go SPEC f0 x0 count s)
  where
    go !_ f x !n s
      | n <= 0 = (# s, () #)
      | otherwise = case f x of !y -> case counted y s of (# s', _ #) -> go SPEC f x (n - 1) s'
{-# NOINLINE whnfLoop #-}

-- | @f x@ to normal form, n times.
nfLoop :: (b -> ()) -> (a -> b) -> a -> Int64 -> IO ()
nfLoop reduce f0 x0 count = IO (\s -> go SPEC f0 x0 count s)
  where
    go !_ f x !n s
      | n <= 0 = (# s, () #)
      | otherwise = case f x of
          !y -> case reduce y of !r -> case counted r s of (# s', _ #) -> go SPEC f x (n - 1) s'
{-# NOINLINE nfLoop #-}

-- | An action whose result is evaluated to weak head normal form, n times.
whnfIOLoop :: IO a -> Int64 -> IO ()
whnfIOLoop act0 count = IO (\s -> go SPEC act0 count s)
  where
    go !_ act !n s
      | n <= 0 = (# s, () #)
      | IO run <- act = case run s of (# s', !_ #) -> go SPEC act (n - 1) s'
{-# NOINLINE whnfIOLoop #-}

-- | An action whose result is evaluated to normal form, n times.
nfIOLoop :: (a -> ()) -> IO a -> Int64 -> IO ()
nfIOLoop reduce act0 count = IO (\s -> go SPEC act0 count s)
  where
    go !_ act !n s
      | n <= 0 = (# s, () #)
      | IO run <- act = case run s of
          (# s', y #) -> case reduce y of !r -> case counted r s' of (# s'', _ #) -> go SPEC act (n - 1) s''
{-# NOINLINE nfIOLoop #-}

-- | A function that gives an action, whose result is evaluated to weak head normal form, n times.
whnfAppIOLoop :: (a -> IO b) -> a -> Int64 -> IO ()
whnfAppIOLoop f0 x0 count = IO (\s -> go SPEC f0 x0 count s)
  where
    go !_ f x !n s
      | n <= 0 = (# s, () #)
      | IO run <- f x = case run s of (# s', !_ #) -> go SPEC f x (n - 1) s'
{-# NOINLINE whnfAppIOLoop #-}

-- | A function that gives an action, whose result is evaluated to normal form, n times.
nfAppIOLoop :: (b -> ()) -> (a -> IO b) -> a -> Int64 -> IO ()
nfAppIOLoop reduce f0 x0 count = IO (\s -> go SPEC f0 x0 count s)
  where
    go !_ f x !n s
      | n <= 0 = (# s, () #)
      | IO run <- f x = case run s of
          (# s', y #) -> case reduce y of !r -> case counted r s' of (# s'', _ #) -> go SPEC f x (n - 1) s''
{-# NOINLINE nfAppIOLoop #-}

-- | An action on each of a list's elements, whose results are evaluated to weak head normal form.
eachLoop :: (a -> IO b) -> [a] -> IO ()
eachLoop f0 list0 = IO (\s -> go SPEC f0 list0 s)
  where
    go !_ _ [] s = (# s, () #)
    go !_ f (x : rest) s | IO run <- f x = case run s of (# s', !_ #) -> go SPEC f rest s'
{-# NOINLINE eachLoop #-}

-- | The floors: the same loops around nothing.
emptyWhnf, emptyNf, emptyIO :: Int64 -> IO ()
emptyWhnf = whnfLoop nothing ()
emptyNf = nfLoop nothing nothing ()
emptyIO = whnfIOLoop (pure ())

-- | The floor of 'eachLoop'.
emptyEach :: [()] -> IO ()
emptyEach = eachLoop pure

nothing :: () -> ()
nothing x = x
{-# NOINLINE nothing #-}
