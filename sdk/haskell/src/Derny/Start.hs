-- | Determines who started the program, the engine or a user; finds and starts the engine. Independent
-- of benchmarks.
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

-- | Path of the program @derny@.
type Engine = FilePath

-- | A line for a user.
complain :: String -> IO ()
complain line = hPutStrLn stderr ("derny: " ++ line)

-- | The engine: the file that @DERNY_BIN@ names, or @derny@ on the search path. If there is none, prints one line about how
-- to get it and ends with status 2.
findEngine :: IO Engine
findEngine = do
  named <- lookupEnv "DERNY_BIN"
  case named of
    Just path | not (null path) -> findExecutable path >>= maybe (missing ("DERNY_BIN names " ++ path ++ ", which is not a program")) pure
    _ -> findExecutable "derny" >>= maybe (missing absent) pure
  where
    missing line = complain line >> exitWith (ExitFailure 2)
    absent =
      "these benchmarks are measured by `derny`, which is not on your PATH: build it with `make install` in a checkout of "
        ++ "Derny, or name it in DERNY_BIN"

-- | The engine takes the place of this process.
engineReplaces :: Engine -> [String] -> IO a
engineReplaces engine args = executeFile engine False args Nothing

-- | Runs the engine and waits for its status.
engineRuns :: Engine -> [String] -> IO ExitCode
engineRuns engine args = do
  (_, _, _, process) <- createProcess (proc engine args) {delegate_ctlc = True}
  waitForProcess process

-- | Starts the engine as the other end of a session: a handle for our replies, a handle for its commands, and the
-- process.
engineTalks :: Engine -> [String] -> IO (Handle, Handle, ProcessHandle)
engineTalks engine args = do
  started <- createProcess (proc engine args) {std_in = CreatePipe, std_out = CreatePipe}
  case started of
    (Just to, Just from, _, process) -> pure (to, from, process)
    _ -> ioError (userError "the engine was started without pipes")

-- | The command that starts this program again: with all of its arguments, or only with those of the runtime system. The
-- engine works in the project's root. If the program was started in another folder, the command changes there first.
ownCommand :: Bool -> IO [String]
ownCommand everything = do
  program <- getExecutablePath
  args <- allArgs
  here <- getCurrentDirectory
  root <- projectRoot here
  let own = program : (if everything then args else ofRuntime args)
  pure (if root == here then own else ["sh", "-c", "cd \"$0\" && exec \"$@\"", here] ++ own)

-- | The output of this program, started again with its own arguments and with some variables added and removed.
ownOutput :: [(String, String)] -> [String] -> IO String
ownOutput more less = do
  program <- getExecutablePath
  args <- allArgs
  variables <- filter ((`notElem` less ++ map fst more) . fst) <$> getEnvironment
  (_, said, _) <- readCreateProcessWithExitCode (proc program args) {env = Just (more ++ variables)} ""
  pure said

-- | As the engine finds it: the nearest folder with a @derny.toml@, else with a @.git@, else this one.
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

-- | All arguments, those of the runtime system among them.
allArgs :: IO [String]
allArgs = do
  name <- getProgName
  args <- getFullArgs
  -- In some versions of base the program itself is the first.
  pure (case args of first : rest | takeFileName first == name -> rest; _ -> args)

-- | The arguments between @+RTS@ and @-RTS@.
ofRuntime :: [String] -> [String]
ofRuntime args = case dropWhile (/= "+RTS") args of
  [] -> []
  _ : rest -> case break (== "-RTS") rest of
    (flags, _ : more) -> ["+RTS"] ++ flags ++ ["-RTS"] ++ ofRuntime more
    (flags, []) -> ["+RTS"] ++ flags ++ ["-RTS"]

-- | Interpreted code takes other times than compiled code, and the interpreter cannot be started again by the engine.
refuseInterpreter :: IO ()
refuseInterpreter = do
  program <- takeFileName <$> getExecutablePath
  let plain = dropWhileEnd' (\c -> isDigit c || c == '.' || c == '-') program
  when (plain `elem` ["ghc", "ghc-iserv", "ghc-iserv-dyn", "runghc", "ghci"]) $ do
    complain "interpreted code is not measured: compile the program (ghc -O2), or type `derny run FILE.hs`, which does it"
    exitWith (ExitFailure 2)
  where
    dropWhileEnd' p = reverse . dropWhile p . reverse

-- | Makes sure that the runtime system keeps statistics, which needs @-T@. Replaces this process once with the same
-- program and @GHCRTS@ set, and resets that for the program's own children. Programs that `derny run` has compiled never
-- need it.
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
