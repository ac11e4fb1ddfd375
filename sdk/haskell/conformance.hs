-- | The benchmarks that @derny dev conform@ runs. Their correct results are in
-- protocol/IMPLEMENTING.md.
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (when)
import Data.IORef
import Data.Int (Int64)
import Data.Word (Word64)
import Derny
import GHC.Clock (getMonotonicTimeNSec)
import System.IO (hFlush, hPutStrLn, stderr, stdout)

busy :: Word64 -> IO ()
busy us = getMonotonicTimeNSec >>= wait
  where
    wait start = getMonotonicTimeNSec >>= \t -> when (t - start < us * 1000) (wait start)

failAt :: String -> String -> IO ()
failAt at place = when (at == place) (evaluate (error ("thrown in " ++ place)))

main :: IO ()
main = do
  calls <- newIORef (0 :: Int)
  suite
    [ group
        "conform"
        [ bench "empty" (whnfIO (pure ()))
        , cases "busy" (param "us" [20, 200]) (whnfIO . busy)
        , bench "count" $
            exactMetric "calls" "count" Total Neither (fromIntegral <$> atomicModifyIORef' calls (\n -> (0, n))) $
              envWithCleanup (writeIORef calls 0) pure (const (whnfIO (modifyIORef' calls (+ 1))))
        , bench "setup" (perBatch (const (busy 2000)) (\_ _ -> pure ()) (const (busy 20)))
        , cases
            "params"
            (keeping (\(size, kind) -> not (size == 2 && kind == "b")) ((,) <$> param "size" [1, 2 :: Int] <*> param "kind" ["a", "b"]))
            (const (whnfIO (pure ())))
        , cases "text" (param "text" ["plain"]) (nfHashed (id :: String -> String))
        , cases "throw" (param "at" ["setup", "call", "teardown"]) $ \at ->
            envWithCleanup (failAt at "setup") (const (failAt at "teardown")) (const (whnfIO (failAt at "call")))
        , bench "print" . whnfIO $ do
            putStrLn "times 1 2 3" >> hFlush stdout
            hPutStrLn stderr "error message=printed fatal=1"
        , cases "self" (param "us" [20]) $ \us -> selfTimed (\n -> timed (times n (busy us)) n)
        , bench "skip" (skipping "not here" (whnfIO (pure ())))
        ]
    ]
  where
    times n act = mapM_ (const act) [1 .. n :: Int64]
    timed act n = do
      start <- getMonotonicTimeNSec
      () <- act
      end <- getMonotonicTimeNSec
      pure (end - start, fromIntegral n)
