{-# LANGUAGE BangPatterns #-}
{-# OPTIONS_GHC -O2 -fno-full-laziness #-}

-- | Runs one turn of consecutive batches and times each. Independent of verbs and names.
module Derny.Turn (Buffer, newBuffer, mostBatches, Asked (..), Taken (..), takeTurn, overheadTurn, timesOf, opsOf, callsOnly) where

import Control.DeepSeq (NFData, rnf)
import Control.Exception (evaluate, onException)
import Data.Int (Int64)
import Data.Word (Word64)
import Derny.Body (Batch (..), Opened (..))
import Derny.Clock (now)
import Derny.Counters (Counters, Reading, plus, readNow, since, zero)
import Foreign (Ptr, mallocBytes, peekElemOff, plusPtr, pokeElemOff)
import System.Mem (getAllocationCounter)

-- | Maximum number of batches in a turn.
mostBatches :: Int
mostBatches = 4096

-- | Memory for the times of a turn, followed by its operations. It is outside of the heap, so that
-- the garbage collector does not scan it, and is allocated once.
newtype Buffer = Buffer (Ptr Word64)

newBuffer :: IO Buffer
newBuffer = Buffer <$> mallocBytes (16 * mostBatches)

opsRoom :: Buffer -> Ptr Double
opsRoom (Buffer times) = times `plusPtr` (8 * mostBatches)

-- | The requested number of calls in a batch, the maximum number of batches, and the time in ns
-- after which no further batch begins.
data Asked = Asked
  { iterations :: Int64
  , batches :: !Int
  , within :: !Word64
  }

-- | The result of a turn. Its times are in the buffer.
data Taken = Taken
  { taken :: !Int
  , timed :: !Word64
  , allocated :: !Int64
  , reading :: !Reading
  }

takeTurn :: Counters -> Buffer -> Asked -> Batch -> IO Taken
takeTurn counters buffer asked calling = case calling of
  Plain run -> enclosed (\_ -> once run calls)
  Pieces most make clean run -> repeated asked buffer (\_ -> inPieces counters most make clean run calls)
  SelfTimed run -> enclosed $ \i -> do
    a <- getAllocationCounter
    (ns, ops) <- run calls
    b <- getAllocationCounter
    pokeElemOff (opsRoom buffer) i ops
    pure (Piece ns (a - b) zero)
  where
    -- Box the value once, so that the loops need not box it again.
    !calls = iterations asked
    -- Reading the counters costs more than reading the clock, so do it once per turn.
    enclosed step = do
      before <- readNow counters
      result <- repeated asked buffer step
      after <- readNow counters
      pure result {reading = after `since` before}
{-# NOINLINE takeTurn #-}

-- | Runs a turn with an empty body. If the body measures its own time, a batch consists of two
-- readings of the clock, and its operations are the requested calls.
overheadTurn :: Counters -> Buffer -> Asked -> Opened -> IO Taken
overheadTurn counters buffer asked opened = takeTurn counters buffer asked $ case batch opened of
  SelfTimed _ -> SelfTimed nothingTimed
  _ -> Plain (empty opened)

-- | An empty body that measures its own time.
nothingTimed :: Int64 -> IO (Word64, Double)
nothingTimed n = do
  t <- now
  u <- now
  pure (u - t, fromIntegral n)
{-# NOINLINE nothingTimed #-}

data Piece = Piece !Word64 !Int64 !Reading

-- | Times one call. Between the readings of the clock, only an unknown function is called with an
-- existing argument. Nothing else allocates between the readings of the allocation counter.
once :: (Int64 -> IO ()) -> Int64 -> IO Piece
once run n = do
  a <- getAllocationCounter
  t <- now
  run n
  u <- now
  b <- getAllocationCounter
  pure (Piece (u - t) (a - b) zero)
{-# INLINE once #-}

repeated :: Asked -> Buffer -> (Int -> IO Piece) -> IO Taken
repeated asked (Buffer times) step = do
  start <- now
  let go !i !total !bytes !counted
        | i == batches asked = pure (Taken i total bytes counted)
        | otherwise = do
            Piece ns b r <- step i
            pokeElemOff times i ns
            end <- now
            let next = i + 1
                counted' = counted `plus` r
            if end - start >= within asked
              then pure (Taken next (total + ns) (bytes + b) counted')
              else go next (total + ns) (bytes + b) counted'
  go 0 0 0 zero
{-# INLINE repeated #-}

-- | Runs a batch in pieces with one environment each. Making an environment is neither timed nor
-- counted.
inPieces
  :: NFData e => Counters -> Int64 -> (Int64 -> IO e) -> (Int64 -> e -> IO ()) -> (e -> Int64 -> IO ()) -> Int64 -> IO Piece
inPieces counters most make clean run n = go n (Piece 0 0 zero)
  where
    go !left !sum'@(Piece ns bytes counted)
      | left <= 0 = pure sum'
      | otherwise = do
          let !count = min most left
          e <- make count
          act <- (evaluate (rnf e) >> evaluate (run e)) `onException` clean count e
          before <- readNow counters
          Piece t b _ <- once act count `onException` clean count e
          after <- readNow counters
          clean count e
          go (left - count) (Piece (ns + t) (bytes + b) (counted `plus` (after `since` before)))
{-# NOINLINE inPieces #-}

timesOf :: Buffer -> Taken -> IO [Word64]
timesOf (Buffer times) result = mapM (peekElemOff times) [0 .. taken result - 1]

-- | Returns the operations of the last turn if the body measures its own time.
opsOf :: Buffer -> Taken -> IO [Double]
opsOf buffer result = mapM (peekElemOff (opsRoom buffer)) [0 .. taken result - 1]

callsOnly :: Batch -> Int64 -> IO ()
callsOnly batch n = case batch of
  Plain run -> run n
  SelfTimed run -> () <$ run n
  Pieces most make clean run ->
    let go left
          | left <= 0 = pure ()
          | otherwise = do
              let count = min most left
              e <- make count
              (evaluate (rnf e) >> run e count) `onException` clean count e
              clean count e
              go (left - count)
     in go n
