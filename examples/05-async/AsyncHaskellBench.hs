module Main (main) where

import Control.Concurrent (forkIO, newEmptyMVar, putMVar, takeMVar)
import qualified Data.ByteString as B
import Derny
import System.Environment (getExecutablePath)
import System.IO (IOMode (ReadMode), withBinaryFile)

-- Reads the first 4 KiB of this program.
readSome :: FilePath -> IO B.ByteString
readSome path = withBinaryFile path ReadMode (`B.hGet` 4096)

main :: IO ()
main = do
  path <- getExecutablePath
  suite
    [ group "read"
        [ bench "synchronous" (whnfIO (readSome path))
          -- Reads in another thread. The time includes starting the thread and waiting for it.
        , bench "thread" . whnfIO $ do
            answer <- newEmptyMVar
            _ <- forkIO (readSome path >>= putMVar answer)
            takeMVar answer
        ]
      -- Measures the cost of starting a thread and waiting for it.
    , bench "fork" . whnfIO $ do
        answer <- newEmptyMVar
        _ <- forkIO (putMVar answer ())
        takeMVar answer
    ]
