{-# LANGUAGE BangPatterns, MagicHash, UnboxedTuples #-}
-- Optimised regardless of the program's own flags. Without full laziness and static arguments, nothing that a loop
-- computes each time is moved out of it.
{-# OPTIONS_GHC -O2 -fno-full-laziness -fno-static-argument-transformation -fno-prof-auto #-}

-- | The timed loops: a function or an action, called repeatedly. Independent of clocks and cases.
--
-- Every loop is compiled once, here, and never inlined. Function and argument come in from outside, so the compiler
-- cannot compute any part of the body in advance. They are arguments of the loop in every iteration, so there is nothing
-- invariant to move out. The state token for the next iteration comes from the result, through 'counted', so no call can
-- be merged with the one before it, moved or removed.
--
-- 'evaluate' of the application would also work, but it allocates a thunk: 32 bytes per call, which would count as the
-- body's. Here the result exists when it meets the token, and nothing is allocated.
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
