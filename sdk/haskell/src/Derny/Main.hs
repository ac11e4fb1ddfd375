-- | Main functions of benchmark programs.
module Derny.Main (suite, attach, serve, together) where

import Control.Monad (unless, when)
import Data.IORef
import Data.List (isPrefixOf)
import Data.Maybe (isJust)
import Derny.Pairs (held, inPairs)
import Derny.Registry (Benchmark)
import Derny.Session (speak)
import Derny.Start
import Derny.Wire (openStreams, streamsOf)
import System.Environment (getArgs, lookupEnv, setEnv)
import System.Exit (ExitCode (..), exitSuccess, exitWith)
import System.IO (hClose, hFlush, stdout)
import System.IO.Unsafe (unsafePerformIO)
import System.Process (waitForProcess)
import Text.Read (readMaybe)

-- | Measures benchmarks. If a user started the program, it starts the engine, which runs the
-- program again. The program's arguments are those of @derny run@. In addition, @--baseline NAME@
-- is accepted as @--against NAME@. With @--fail-if-slower PERCENT@, the program exits with status
-- 1 if a benchmark became slower by more than that.
suite :: [Benchmark] -> IO ()
suite tree = serve tree $ do
  args <- getArgs
  engine <- findEngine
  command <- ownCommand False
  let line = ["run"] ++ translated args ++ ["--"] ++ command
  if null (held tree)
    then engineReplaces engine line
    else do
      status <- engineRuns engine line
      when (status /= ExitSuccess) (exitWith status)
      -- Options for the amount of measurement also apply to the pairs. Options that select
      -- benchmarks do not.
      inPairs engine (filter (`elem` ["--quick", "-q", "--no-config"]) args) command tree

-- | Serves the engine if it started the program, and otherwise runs the given action. A program may
-- call this function several times. If such a call started the engine, the same call serves it.
-- If @derny run@ started the program, the last call that 'together' has counted serves the
-- engine, with the benchmarks of all calls.
serve :: [Benchmark] -> IO () -> IO ()
serve tree byAPerson = do
  seen <- atomicModifyIORef' soFar (\s -> let s' = s {times = times s + 1, trees = trees s ++ tree} in (s', s'))
  served <- isJust <$> lookupEnv "DERNY_COMMANDS"
  wanted <- lookupEnv "DERNY_TIME"
  case wanted >>= readMaybe of
    _ | wanted == Just "count" -> putStrLn timeMark >> hFlush stdout
    Just time | served -> when (times seen == time) (answer tree)
    Nothing | served -> when (times seen == lastTime seen) (answer (trees seen))
    _ -> do
      refuseInterpreter
      _ <- openStreams >>= either refuse pure
      setEnv "DERNY_TIME" (show (times seen))
      byAPerson
  where
    answer all' = withStatistics >> openStreams >>= either refuse (mapM_ (\streams -> speak (const (pure ())) streams all' >> exitSuccess))
    refuse why = complain why >> exitWith (ExitFailure 2)

-- | Runs a program whose source seems to call 'serve' more than once. To count the calls, it first
-- runs the program in a separate process that measures nothing. @derny run FILE@ wraps @main@ in
-- this function when it compiles such programs.
together :: IO a -> IO a
together program = do
  served <- isJust <$> lookupEnv "DERNY_COMMANDS"
  wanted <- lookupEnv "DERNY_TIME"
  when (served && wanted == Nothing) $ do
    said <- ownOutput [("DERNY_TIME", "count")] ["DERNY_COMMANDS", "DERNY_REPLIES"]
    let found = length (filter (== timeMark) (lines said))
    modifyIORef' soFar (\s -> s {lastTime = max 1 found})
  program

-- | Measures benchmarks in this process, for an interactive session or a program of your own, and
-- prints the report. The options are those of @derny dev attach@: @["--quick"]@, @["--budget",
-- "2s"]@. The result is a sample of one process, and the report says so. Code that GHCi
-- interprets is slower than compiled code.
attach :: [String] -> [Benchmark] -> IO ()
attach options tree = do
  engine <- findEngine
  (replies, commands, process) <- engineTalks engine ("dev" : "attach" : options)
  streams <- streamsOf commands replies
  ended <- speak putStr streams tree
  mapM_ hClose [replies, commands]
  _ <- waitForProcess process
  unless ended (ioError (userError "the engine ended without a result; see its output above"))

-- | The calls of 'serve' so far: their number, their benchmarks, and the expected number.
data Seen = Seen {times :: !Int, trees :: [Benchmark], lastTime :: !Int}

soFar :: IORef Seen
soFar = unsafePerformIO (newIORef (Seen 0 [] 1))
{-# NOINLINE soFar #-}

-- | The line that each call of 'serve' prints while 'together' counts the calls.
timeMark :: String
timeMark = "derny: here benchmarks would be measured"

translated :: [String] -> [String]
translated args = case args of
  "--baseline" : value : rest -> "--against" : value : translated rest
  "--fail-if-slower" : value : rest -> ["--margin", value ++ "%", "--fail-on", "worse"] ++ translated rest
  arg : rest
    | Just value <- after "--baseline=" arg -> translated ("--baseline" : value : rest)
    | Just value <- after "--fail-if-slower=" arg -> translated ("--fail-if-slower" : value : rest)
    | otherwise -> arg : translated rest
  [] -> []
  where
    after prefix arg = if prefix `isPrefixOf` arg then Just (drop (length prefix) arg) else Nothing
