-- | The entry point of a program of benchmarks.
module Derny.Main (suite, attach, serve, inPairs) where

import Control.Monad (forM_, unless, when)
import Data.IORef
import Data.List (isPrefixOf)
import Derny.Registry (Benchmark, Definition (..), definitions, selected)
import Derny.Session (speak)
import Derny.Start
import Derny.Wire (openStreams, streamsOf)
import System.Environment (getArgs, lookupEnv, setEnv)
import System.Exit (ExitCode (..), exitSuccess, exitWith)
import System.IO (hClose)
import System.IO.Unsafe (unsafePerformIO)
import System.Process (waitForProcess)
import Text.Read (readMaybe)

-- | Measures benchmarks. Started by a person, the program starts the engine on itself; its arguments are those of
-- @derny run@, and besides them @--baseline NAME@ is @--against NAME@, and @--fail-if-slower PERCENT@ ends with status 1
-- where something got slower by more than that.
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
      -- What says how much to measure holds for the pairs too; what selects does not.
      inPairs engine (filter (`elem` ["--quick", "-q", "--no-config"]) args) command tree

-- | The benchmarks that are held against others: name, and the text that names the other.
held :: [Benchmark] -> [(String, String)]
held tree = [(name d, text) | d@Definition {reference = Just text} <- definitions tree]

-- | Measures every benchmark that is held against another one once more, in pairs with that.
inPairs :: Engine -> [String] -> [String] -> [Benchmark] -> IO ()
inPairs engine options command tree = forM_ (held tree) (against engine options command (definitions tree))

-- | Serves the engine, if that started the program; else does what a person wants. A program may come here several times:
-- the engine that was started at the second time is served at the second time.
serve :: [Benchmark] -> IO () -> IO ()
serve tree byAPerson = do
  time <- atomicModifyIORef' times (\n -> (n + 1, n + 1))
  served <- lookupEnv "DERNY_COMMANDS"
  wanted <- maybe 1 id . (>>= readMaybe) <$> lookupEnv "DERNY_TIME"
  case served of
    Just _ | time /= wanted -> pure ()
    Just _ -> withStatistics >> openStreams >>= either refuse (mapM_ (\streams -> speak (const (pure ())) streams tree >> exitSuccess))
    Nothing -> do
      refuseInterpreter
      _ <- openStreams >>= either refuse pure
      setEnv "DERNY_TIME" (show time)
      byAPerson
  where
    refuse why = complain why >> exitWith (ExitFailure 2)

-- | Measures benchmarks in this very process, for an interactive session or a program of one's own, and prints the report.
-- The options are those of @derny attach@: @["--quick"]@, @["--budget", "2s"]@. One process is one draw, and the report says
-- so; what GHCi interprets is slower than what is compiled.
attach :: [String] -> [Benchmark] -> IO ()
attach options tree = do
  engine <- findEngine
  (replies, commands, process) <- engineTalks engine ("attach" : options)
  streams <- streamsOf commands replies
  ended <- speak putStr streams tree
  mapM_ hClose [replies, commands]
  _ <- waitForProcess process
  unless ended (ioError (userError "derny attach ended early; what it said stands above"))

-- | How often 'serve' was called.
times :: IORef Int
times = unsafePerformIO (newIORef 0)
{-# NOINLINE times #-}

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

-- | Measures a benchmark and the one that it is held against in pairs.
against :: Engine -> [String] -> [String] -> [Definition] -> (String, String) -> IO ()
against engine options command all' (title, text) = case selected text all' of
  Left why -> complain (title ++ ": " ++ why) >> exitWith (ExitFailure 2)
  Right other -> do
    status <- engineRuns engine (["run", "-x", "reference:" ++ other, "-x", "this:" ++ title] ++ options ++ ["*/" ++ other, "--"] ++ command)
    when (status /= ExitSuccess) (exitWith status)
