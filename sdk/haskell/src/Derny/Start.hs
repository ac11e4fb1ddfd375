-- | Determines whether the engine or a user started the program. Finds and starts the engine.
-- Independent of benchmarks.
module Derny.Start (Engine, findEngine, engineReplaces, engineRuns, engineTalks, ownCommand, ownOutput, complain, refuseInterpreter, withStatistics) where

import Control.Monad (unless, when)
import Data.Char (isDigit)
import Data.Maybe (fromMaybe)
import GHC.Environment (getFullArgs)
import GHC.Stats (getRTSStatsEnabled)
import System.Directory (doesPathExist, findExecutable, getCurrentDirectory)
import System.Environment (getEnvironment, getExecutablePath, getProgName, lookupEnv, setEnv, unsetEnv)
import System.Exit (ExitCode (..), exitWith)
import System.FilePath (takeDirectory, takeFileName, (</>))
import System.IO (Handle, hPutStrLn, stderr)
import System.Posix.Process (executeFile)
import System.Process (CreateProcess (..), ProcessHandle, StdStream (CreatePipe), createProcess, proc, readCreateProcessWithExitCode, waitForProcess)

type Engine = FilePath

complain :: String -> IO ()
complain line = hPutStrLn stderr ("derny: " ++ line)

-- | Returns the engine: the file that @DERNY_BIN@ names, or @derny@ on the PATH. If there is none,
-- prints how to install it and exits with status 2.
findEngine :: IO Engine
findEngine = do
  named <- lookupEnv "DERNY_BIN"
  case named of
    Just path | not (null path) -> findExecutable path >>= maybe (missing ("DERNY_BIN names " ++ path ++ ", which is not a program")) pure
    _ -> findExecutable "derny" >>= maybe (missing absent) pure
  where
    missing line = complain line >> exitWith (ExitFailure 2)
    absent =
      "the engine is not installed: put the `derny` binary on the PATH, or set DERNY_BIN to its path"

engineReplaces :: Engine -> [String] -> IO a
engineReplaces engine args = executeFile engine False args Nothing

engineRuns :: Engine -> [String] -> IO ExitCode
engineRuns engine args = do
  (_, _, _, process) <- createProcess (proc engine args) {delegate_ctlc = True}
  waitForProcess process

-- | Starts the engine as the other end of a conversation. Returns a handle for replies, a handle
-- for commands, and the process.
engineTalks :: Engine -> [String] -> IO (Handle, Handle, ProcessHandle)
engineTalks engine args = do
  started <- createProcess (proc engine args) {std_in = CreatePipe, std_out = CreatePipe}
  case started of
    (Just to, Just from, _, process) -> pure (to, from, process)
    _ -> ioError (userError "cannot connect to the engine: no pipes were created")

-- | Returns the command that starts this program again, with all of its arguments or only with
-- those of the runtime system. The engine runs commands in the project's root, so the command
-- changes to the working directory if necessary.
ownCommand :: Bool -> IO [String]
ownCommand everything = do
  program <- getExecutablePath
  args <- allArgs
  here <- getCurrentDirectory
  root <- projectRoot here
  let own = program : (if everything then args else ofRuntime args)
  pure (if root == here then own else ["sh", "-c", "cd \"$0\" && exec \"$@\"", here] ++ own)

-- | Runs this program again with the same arguments and returns its output. Sets the first list of
-- environment variables and removes the second.
ownOutput :: [(String, String)] -> [String] -> IO String
ownOutput more less = do
  program <- getExecutablePath
  args <- allArgs
  variables <- filter ((`notElem` less ++ map fst more) . fst) <$> getEnvironment
  (_, said, _) <- readCreateProcessWithExitCode (proc program args) {env = Just (more ++ variables)} ""
  pure said

-- | Returns the project's root as the engine determines it: the nearest folder with a @derny.toml@,
-- or else with a @.git@, or else this folder.
projectRoot :: FilePath -> IO FilePath
projectRoot here = do
  toml <- nearest "derny.toml"
  git <- nearest ".git"
  pure (fromMaybe (fromMaybe here git) toml)
  where
    nearest file = go (takeWhile' (iterate takeDirectory here))
      where
        go [] = pure Nothing
        go (folder : rest) = doesPathExist (folder </> file) >>= \there -> if there then pure (Just folder) else go rest
    takeWhile' (a : b : rest) = if a == b then [a] else a : takeWhile' (b : rest)
    takeWhile' short = short

-- | Returns all arguments, including those of the runtime system.
allArgs :: IO [String]
allArgs = do
  name <- getProgName
  args <- getFullArgs
  -- In some versions of base, the first element is the program itself.
  pure (case args of first : rest | takeFileName first == name -> rest; _ -> args)

-- | Returns the arguments between @+RTS@ and @-RTS@.
ofRuntime :: [String] -> [String]
ofRuntime args = case dropWhile (/= "+RTS") args of
  [] -> []
  _ : rest -> case break (== "-RTS") rest of
    (flags, _ : more) -> ["+RTS"] ++ flags ++ ["-RTS"] ++ ofRuntime more
    (flags, []) -> ["+RTS"] ++ flags ++ ["-RTS"]

-- | Exits if this process is an interpreter. Interpreted code is slower than compiled code, and the
-- engine cannot start the interpreter again.
refuseInterpreter :: IO ()
refuseInterpreter = do
  program <- takeFileName <$> getExecutablePath
  let plain = dropWhileEnd' (\c -> isDigit c || c == '.' || c == '-') program
  when (plain `elem` ["ghc", "ghc-iserv", "ghc-iserv-dyn", "runghc", "ghci"]) $ do
    complain "interpreted code cannot be measured: compile the program with ghc -O2, or run `derny run FILE.hs`"
    exitWith (ExitFailure 2)
  where
    dropWhileEnd' p = reverse . dropWhile p . reverse

-- | Makes sure that the runtime system collects statistics, which needs @-T@. If necessary,
-- replaces this process once with the same program and @GHCRTS@ set. The variable is reset
-- afterwards for child processes. Programs compiled by @derny run@ never need this.
withStatistics :: IO ()
withStatistics = do
  enabled <- getRTSStatsEnabled
  before <- lookupEnv "DERNY_RTS"
  flags <- fromMaybe "" <$> lookupEnv "GHCRTS"
  case before of
    Just was -> unsetEnv "DERNY_RTS" >> setEnv "GHCRTS" (drop 1 was)
    Nothing -> unless enabled $ do
      setEnv "DERNY_RTS" (':' : flags)
      setEnv "GHCRTS" (unwords (filter (not . null) [flags, "-T"]))
      program <- getExecutablePath
      args <- allArgs
      executeFile program False args Nothing
