module Main (main) where

import Control.Concurrent (forkIO, newEmptyMVar, putMVar, takeMVar)
import qualified Data.ByteString as B
import Derny
import System.Environment (getExecutablePath)
import System.IO (IOMode (ReadMode), withBinaryFile)

-- The first 4 KiB of this program.
readSome :: FilePath -> IO B.ByteString
readSome path = withBinaryFile path ReadMode (`B.hGet` 4096)

main :: IO ()
main = do
  path <- getExecutablePath
  suite
    [ group "read"
        [ bench "synchronous" (whnfIO (readSome path))
          -- A thread of its own does the work; waiting for it is part of every call.
        , bench "thread" . whnfIO $ do
            answer <- newEmptyMVar
            _ <- forkIO (readSome path >>= putMVar answer)
            takeMVar answer
        ]
      -- What a thread and waiting for it cost by themselves.
    , bench "fork" . whnfIO $ do
        answer <- newEmptyMVar
        _ <- forkIO (putMVar answer ())
        takeMVar answer
    ]
