-- | The monotonic clock of the runtime system.
module Derny.Clock (now, clockName, stepNs) where

import Control.Monad (replicateM)
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)

-- | Returns the time in ns since a fixed but unspecified moment. On Linux, a reading costs about 30
-- ns and makes no system call.
now :: IO Word64
now = getMonotonicTimeNSec
{-# INLINE now #-}

-- | The name of the clock in the runtime system.
clockName :: String
clockName = "getMonotonicTimeNSec"

-- | Returns the smallest difference other than zero between 2,000 consecutive readings, in ns.
stepNs :: IO Word64
stepNs = do
  readings <- replicateM 2000 now
  let steps = filter (> 0) (zipWith (-) (drop 1 readings) readings)
  pure (if null steps then 1 else minimum steps)
