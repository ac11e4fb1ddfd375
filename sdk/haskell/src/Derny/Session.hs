{-# LANGUAGE BangPatterns #-}

-- | Handles each verb of the conversation and keeps the open case. Independent of how a body is
-- timed.
module Derny.Session (speak, version) where

import Control.Exception (evaluate)
import Control.Monad (unless, when)
import qualified Data.ByteString as B
import Data.Bits (xor)
import Data.Char (ord)
import Data.IORef
import Data.List (foldl')
import qualified Data.Map.Strict as Map
import Data.Word (Word64)
import Derny.Body hiding (bytes, items, unit)
import Derny.Clock (clockName, now, stepNs)
import Derny.Counters (Counters, collectorWord, counterNames, counterValues, counters, runtimeName)
import Derny.Failure (Failure (..), attempt, failed)
import Derny.Params (chosen, combinations)
import Derny.Registry
import Derny.Turn
import Derny.Wire
import Numeric (showHex)
import System.Mem (performMajorGC)
import System.Posix.Process (getProcessID)

version :: String
version = "0.1.0"

mode :: String
mode = "time"

data Session = Session
  { benchmarks :: Map.Map String Definition
  , inOrder :: [Definition]
  , counted :: Counters
  , buffer :: Buffer
  , current :: IORef (Maybe Current)
  , wasOpen :: IORef Bool
  }

data Current = Current
  { title :: String
  , told :: About
  , opened :: Opened
  }

-- | Serves the engine until @quit@ or the end of the stream. Returns true for @quit@. @shown@
-- receives the report, line by line, from an engine that this process started.
speak :: (String -> IO ()) -> Streams -> [Benchmark] -> IO Bool
speak shown streams tree = do
  session <- begin
  hello session >>= write
  let loop = readLine streams >>= maybe (False <$ tearDown session) answered
      answered line = case verbOf line of
        "quit" -> True <$ tearDown session
        "report" -> either (const (pure ())) (mapM_ shown . get "text") (parse line) >> loop
        "result" -> loop
        _ -> answerTo session line >>= write >> loop
  loop
  where
    write line = writeReply streams (either (either (const B.empty) id . finish . errorLine) id (finish line))
    begin = do
      let all' = definitions tree
      Session (Map.fromList [(name d, d) | d <- all']) all' <$> counters <*> newBuffer <*> newIORef Nothing <*> newIORef False

hello :: Session -> IO Line
hello session = do
  pid <- getProcessID
  step <- stepNs
  runtime <- runtimeName
  pure $
    verb "derny" <> word (1 :: Int)
      <> field "language" "haskell"
      <> field "runtime" runtime
      <> field "harness" version
      <> field "pid" (show pid)
      -- The main thread is bound to the first thread of the process. On Linux, its id is the
      -- process id.
      <> field "thread" (show pid)
      <> field "clock" clockName
      <> field "step_ns" (show step)
      <> maybe mempty (field "collector") (collectorWord (counted session))
      <> list "can" ["overhead", "check", "collect", "hash"]
      <> list "modes" [mode]
      <> list "metrics" (counterNames (counted session))

answerTo :: Session -> B.ByteString -> IO Line
answerTo session line = case lookup (verbOf line) verbs of
  Nothing -> pure (verb "unsupported" <> field "verb" (verbOf line))
  Just handle -> either errorLine id <$> either (pure . Left . failed) (handle session) (parse line)
  where
    verbs =
      [ ("list", listAll)
      , ("open", openOne)
      , ("check", check)
      , ("measure", measure)
      , ("overhead", overhead)
      , ("collect", collect)
      , ("close", closeOne)
      ]

type Answer = IO (Either Failure Line)

refuse :: String -> Answer
refuse = pure . Left . failed

listAll :: Session -> Message -> Answer
listAll session message = do
  late <- readIORef (wasOpen session)
  if late
    then refuse "list: only allowed before the first open"
    else attempt "the list of benchmarks" (concat <$> mapM casesOf (inOrder session)) >>= \result -> pure $ do
      found <- result
      either (Left . failed . ("list: " ++)) (Right . (<> verb "end") . foldMap (<> verb "\n")) (sequence found)
  where
    given = paramLists message
    -- In the mode @test@, one case of each benchmark is enough.
    few = if get "mode" message == Just "test" then take 1 else id
    casesOf definition@Definition {axes = axes', body = body'} =
      case combinations given axes' of
        Left why -> pure [Left (name definition ++ ": " ++ why)]
        Right all' -> mapM (evaluateLine . (\(values, a) -> caseLine definition values (about (body' a)))) (few all')
    evaluateLine line = either (const (Left "a line is too long")) (const (Right line)) <$> evaluate (finish line)

caseLine :: Definition -> [(String, String)] -> About -> Line
caseLine definition values said =
  verb "case" <> field "benchmark" (name definition)
    <> foldMap (\(key, value) -> field ("p." ++ key) value) values
    <> given "ops" show (aboutOps said)
    <> given "unit" id (aboutUnit said)
    <> given "bytes" show (aboutBytes said)
    <> given "items" show (aboutItems said)
    <> given "max_iterations" show (aboutMost said)
    <> (if aboutSelfTimed said then field "timing" "self" <> field "again" "1" else mempty)
    <> (if aboutIsolated said then field "isolate" "1" else mempty)
    <> list "env" [key ++ "=" ++ value | (key, value) <- aboutEnvironment said]
    <> list "metrics" (map described (aboutMetrics said))
    <> list "tags" (aboutTags said)
    <> maybe mempty (\(file, line) -> field "file" file <> field "line" (show line)) (place definition)
  where
    given key text = maybe mempty (field key . text)
    described m =
      metricName m ++ ":" ++ metricUnit m ++ ":" ++ kind (metricKind m) ++ ":" ++ direction (metricDirection m)
        ++ (if metricExact m then ":exact" else "")
    kind k = case k of Total -> "total"; Level -> "level"; Peak -> "peak"; Rate -> "rate"
    direction d = case d of Less -> "less"; More -> "more"; Neither -> "none"

openOne :: Session -> Message -> Answer
openOne session message = do
  before <- readIORef (current session)
  case (before, needed "benchmark" message) of
    (Just _, _) -> refuse "open: a case is open already"
    (_, Left why) -> refuse why
    (_, Right wanted) -> maybe (refuse ("open: there is no benchmark " ++ wanted)) opening (Map.lookup wanted (benchmarks session))
  where
    opening definition@Definition {axes = axes', body = body'} = case chosen axes' (params message) of
      Left why -> refuse ("open: " ++ name definition ++ ": " ++ why)
      Right values -> do
        let it = body' values
        result <- attempt ("the set-up of " ++ name definition) (maybe (Right <$> open it) (pure . Left) (aboutSkip (about it)))
        case result of
          Left failure -> pure (Left failure)
          Right (Left why) -> pure (Right (verb "skip" <> field "reason" why))
          Right (Right o) -> do
            writeIORef (current session) (Just (Current (name definition) (about it) o))
            writeIORef (wasOpen session) True
            pure (Right (verb "opened"))

withOpen :: Session -> String -> (Current -> Answer) -> Answer
withOpen session what use = readIORef (current session) >>= maybe (refuse (what ++ ": no case is open")) use

check :: Session -> Message -> Answer
check session _ = withOpen session "check" $ \it -> attempt ("the body of " ++ title it) $ do
  callsOnly (batch (opened it)) 1
  hashed <- hashOf it
  pure (verb "checked" <> maybe mempty (field "hash") hashed)

measure :: Session -> Message -> Answer
measure session message = withOpen session "measure" $ \it ->
  case (,) <$> asked message (integer "within" message) <*> maybe (Right 0) (const (integer "lead" message)) (get "lead" message) of
    Left why -> refuse why
    Right _ | maybe False (/= mode) (get "mode" message) -> refuse "measure: there is no such mode"
    Right (turn, lead) -> attempt ("the body of " ++ title it) $ do
      when (lead > 0) $ do
        _ <- takeTurn (counted session) (buffer session) turn {batches = mostBatches, within = lead} (batch (opened it))
        mapM_ metricRead (aboutMetrics (told it))
      result <- takeTurn (counted session) (buffer session) turn (batch (opened it))
      values <- mapM metricRead (aboutMetrics (told it))
      hashed <- if get "hash" message == Just "1" then hashOf it else pure Nothing
      ops <- opsTold session it result
      reply session result ops (map Just values) (maybe mempty (field "hash") hashed)

overhead :: Session -> Message -> Answer
overhead session message = withOpen session "overhead" $ \it ->
  case asked message (Right maxBound) of
    Left why -> refuse why
    Right turn -> attempt "the empty body" $ do
      result <- overheadTurn (counted session) (buffer session) turn (opened it)
      ops <- opsTold session it result
      reply session result ops (map (const Nothing) (aboutMetrics (told it))) mempty

opsTold :: Session -> Current -> Taken -> IO [Double]
opsTold session it result = if aboutSelfTimed (told it) then opsOf (buffer session) result else pure []

reply :: Session -> Taken -> [Double] -> [Maybe Double] -> Line -> IO Line
reply session result ops values hashed = do
  times <- timesOf (buffer session) result
  let counts = counterValues (counted session) (timed result) (allocated result) (reading result)
      value v = case v of
        Nothing -> verb " -"
        Just n
          | isNaN n || isInfinite n -> verb " -"
          | whole <- round n, fromInteger whole == n -> word (whole :: Integer)
          | otherwise -> word n
  pure $
    verb "times" <> foldMap word times <> verb "\n"
      <> (if null ops then mempty else verb "ops" <> foldMap word ops <> verb "\n")
      <> verb "end" <> foldMap (value . Just) counts <> foldMap value values <> hashed

asked :: Message -> Either String Word64 -> Either String Asked
asked message limit = do
  n <- integer "iterations" message
  count <- integer "batches" message
  ns <- limit
  when (n == 0) (Left "iterations must be at least 1")
  unless (count >= 1 && count <= fromIntegral mostBatches) (Left ("batches must be 1 to " ++ show mostBatches))
  let !calls = fromIntegral (min n 9223372036854775807)
  pure (Asked calls (fromIntegral count) ns)

-- | Returns the 64-bit FNV-1a hash of the result's text, or nothing if the body does not hash
-- results.
hashOf :: Current -> IO (Maybe String)
hashOf it = traverse (fmap hash) (answer (opened it))
  where
    hash text = showHex (foldl' (\h c -> (h `xor` fromIntegral (ord c)) * 1099511628211) (14695981039346656037 :: Word64) text) ""

collect :: Session -> Message -> Answer
collect session _ = withOpen session "collect" $ \_ -> do
  begin <- now
  performMajorGC
  end <- now
  pure (Right (verb "collected" <> field "ns" (show (end - begin))))

closeOne :: Session -> Message -> Answer
closeOne session _ = withOpen session "close" $ \_ -> fmap (const (verb "closed")) <$> tearDown session

-- | Closes the open case, if there is one, even if its tear-down fails.
tearDown :: Session -> IO (Either Failure ())
tearDown session = do
  it <- readIORef (current session)
  writeIORef (current session) Nothing
  maybe (pure (Right ())) (\c -> attempt ("the tear-down of " ++ title c) (close (opened c))) it
