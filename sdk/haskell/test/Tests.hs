-- | Tests of this SDK without a test package. Each prints the actual value if it differs from
-- the expected one.
module Main (main) where

import Control.Exception (evaluate)
import Control.Monad (forM, unless)
import Criterion.Main.Options
import Criterion.Main.Outputs (engineArgs, junit, regressed)
import Criterion.Match (makeMatcher)
import Criterion.Measurement (measure, secs)
import Criterion.Measurement.Types hiding (measure)
import Criterion.Types (Config (..), Verbosity (..))
import qualified Data.ByteString.Char8 as C
import Data.Either (isLeft)
import Data.IORef
import Data.List (isInfixOf)
import Derny (keeping, param)
import qualified Derny
import qualified Derny.Body as Body
import Derny.Counters (counters)
import Derny.Failure
import Derny.Pairs (isWithin, ratioOf)
import Derny.Params (chosen, combinations)
import Derny.Registry (definitions, name, named, selected)
import qualified Derny.Registry as Registry
import Derny.Table (rows)
import Derny.Turn
import Derny.Wire hiding (field)
import qualified Derny.Wire as Wire
import Statistics.Types (CL, cl99, confidenceLevel, mkCL)
import System.Exit (exitFailure)

type Test = (String, IO [String])

infix 2 ===

-- | Returns nothing if both values are equal, and otherwise a message with both.
(===) :: (Eq a, Show a) => a -> a -> IO [String]
was === wanted = pure ["wanted " ++ show wanted ++ ", was " ++ show was | was /= wanted]

holds :: String -> Bool -> IO [String]
holds what ok = pure [what | not ok]

main :: IO ()
main = do
  results <- forM (wire ++ parameters ++ names ++ turns ++ commandLine ++ measuring) $ \(title, test) -> do
    wrong <- test
    putStrLn ((if null wrong then "ok      " else "FAILED  ") ++ title)
    mapM_ (putStrLn . ("    " ++)) wrong
    pure (null wrong)
  let passed = length (filter id results)
  putStrLn (show passed ++ " passed, " ++ show (length results - passed) ++ " failed")
  unless (and results) exitFailure

wire :: [Test]
wire =
  [ ("what is encoded is decoded", trip "a b=c%,\n\t\DEL é 语" === Right (Just "a b=c%,\n\t\DEL é 语"))
  , ("a comma is encoded in lists only", finish (list "k" ["a,b", "c"] <> Wire.field "v" "a,b") === Right (C.pack " k=a%2Cb,c v=a,b"))
  , ("an empty list is left out", finish (verb "x" <> list "k" []) === Right (C.pack "x"))
  , ("malformed lines are refused", map (isLeft . parse . C.pack) ["x a", "x a=%2", "x a=%GG", "x a=1 a=2", "x a=b=c", "x a=%FF"] === replicate 6 True)
  , ("integers have bounds", [whole "12", whole "-1", whole "", whole "1e3", whole "18446744073709551616"] === [Just 12, Nothing, Nothing, Nothing, Nothing])
  , ("lists of parameters are parted before they are decoded", fmap paramLists (parse (C.pack "list p.a=1,2%2C3 q=1 p.b=")) === Right [("a", ["1", "2,3"]), ("b", [""])])
  , ("messages are cut between characters", fmap C.length (finish (errorLine (Failure (replicate 5000 'é') Nothing))) === Right (C.length (C.pack "error message=") + 4096))
  , ("a line that is too long is a failure", holds "it was sent" (isLeft (finish (Wire.field "k" (replicate 70000 'x')))))
  , ("an exception tells class, message and stack", told >>= \said -> holds (show said) (fmap fst said == Just "ErrorCall: boom" && maybe False (("Tests.hs" `isInfixOf`) . snd) said))
  ]
  where
    trip text = fmap (get "k") (finish (verb "x" <> Wire.field "k" text) `orFail` parse)
    orFail (Right bytes) next = next bytes
    orFail (Left failure) _ = Left (sentence failure)
    whole text = either (const Nothing) Just (parse (C.pack ("x k=" ++ text)) >>= integer "k")
    told = do
      result <- attempt "here" (evaluate (error "boom\nmore" :: Int))
      pure (either (\f -> (,) (sentence f) <$> detail f) (const Nothing) result)

parameters :: [Test]
parameters =
  [ ("the first parameter is the outermost", fmap (map snd) (combinations [] axes) === Right [(1, "a"), (1, "b"), (2, "a")])
  , ("given values take the place of the benchmark's own", fmap (map fst) (combinations [("kind", ["z"])] axes) === Right [[("n", "1"), ("kind", "z")], [("n", "2"), ("kind", "z")]])
  , ("numbers stay numbers", chosen axes [("kind", "q"), ("n", "77")] === Right (77, "q"))
  , ("what is no number is refused", chosen axes [("n", "many"), ("kind", "a")] === Left "invalid value of the parameter n: `many`")
  , ("what is missing or strange is refused", map isLeft [chosen axes [("n", "1")], chosen axes [("n", "1"), ("kind", "a"), ("x", "y")]] === [True, True])
  ]
  where
    axes = keeping (/= (2 :: Int, "b")) ((,) <$> param "n" [1, 2] <*> param "kind" ["a", "b" :: String])

names :: [Test]
names =
  [ ("groups are joined by slashes", map name (definitions tree) === ["a/b", "a/c/d", "e"])
  , ("a thousand copies have a thousand names", take 3 (map name copies) ++ [show (length copies)] === ["exp", "exp #2", "exp #3", "1000"])
  , ("a name that is numbered already is left alone", map name (definitions [named "a" empty', named "a #2" empty', named "a" empty', named "a" empty']) === ["a", "a #2", "a #3", "a #4"])
  , ("one benchmark is meant", selected "D" (definitions tree) === Right "a/c/d")
  , ("patterns of tasty", map (\text -> selected text (definitions tree)) ["$NF == \"d\" && $(NF-1) == \"c\"", "$2 ~ /a/ && !/c/", "$3 == \"c\" || $2 == \"e\"", "/a.c/"] === [Right "a/c/d", Right "a/b", Left "`$3 == \"c\" || $2 == \"e\"` matches 2 benchmarks", Right "a/c/d"])
  , ("two are too many", selected "a/" (definitions tree) === Left "`a/` matches 2 benchmarks")
  , ("an environment is not made for names", map fst (registered (env (fail "made" :: IO Int) (\n -> bench "x" (whnf (+ n) 1)))) === ["x"])
  , ("a benchmark is held against another one", map Registry.reference (definitions (map snd (registered (bgroup "g" [heldAgainst (0, 2) "y" (bench "x" (nf id ())), bench "y" (nf id ())])))) === [Just (Registry.Reference "y" (0, 2)), Nothing])
  , ("what is said under a lazy environment is known", fmap fst3 (saidUnder (\ ~(a, b) -> Derny.items (3 :: Int) (Derny.whnf (+ a) (b :: Int)))) === Just 3)
  , ("an environment is made, given and taken down", environment)
  , ("criterion's names", benchNames (bgroup "g" [env (pure ()) (\ ~() -> bgroup "" [bench "x" (nf id ())]), bench "y" (nf id ())]) === ["g/x", "g/y"])
  ]
  where
    tree = [Registry.group "a" [named "b" empty', Registry.group "c" [named "d" empty']], named "e" empty']
    copies = definitions (replicate 1000 (named "exp" (Derny.whnf exp (2 :: Double))))
    empty' = Derny.whnfIO (pure ())
    fst3 n = n
    saidUnder :: ((Int, Int) -> Derny.Body) -> Maybe Integer
    saidUnder = Body.aboutItems . Body.aboutUnder

environment :: IO [String]
environment = do
  seen <- newIORef ([] :: [String])
  let say text = modifyIORef' seen (++ [text])
      tree = bgroup "g" [envWithCleanup (2 <$ say "made") (\_ -> say "down") (\n -> bench "x" (whnfIO (say (show (n + 1 :: Int)))))]
  mapM_ opened (definitions (map snd (registered tree)))
  readIORef seen >>= (=== ["made", "3", "3", "down"])
  where
    opened Registry.Definition {Registry.axes = axes, Registry.body = body} =
      either fail (\v -> Body.open (body v) >>= \o -> callsOnly (Body.batch o) 2 >> Body.close o) (chosen axes [])

turns :: [Test]
turns =
  [ ("n iterations are n calls", calls 7 3 >>= (=== 21))
  , ("a turn ends after the batch in which its limit passed", limited >>= (=== (1, True)))
  , ("pure code is called each time", forced >>= \(one, many) -> holds (show (one, many)) (many >= 50 * one))
  , ("an empty body allocates nothing", allocatedBy (Derny.whnf id ()) >>= (=== 0))
  , ("equal work allocates equally", ((,) <$> allocatedBy (Derny.nf (enumFromTo 1) (10 :: Int)) <*> allocatedBy (Derny.nf (enumFromTo 1) (10 :: Int))) >>= \(a, b) -> holds (show (a, b)) (a == b && a > 3000 && a `mod` 3000 < 100))
  , ("set-up is neither timed nor counted", allocatedBy (Body.perBatch (\n -> pure (replicate (fromIntegral n) 'x')) (\_ _ -> pure ()) (const (pure ()))) >>= \b -> holds (show b) (b < 1000))
  , ("every call has a fresh input", inputs >>= (=== 2500))
  ]
  where
    calls n count = do
      counter <- newIORef (0 :: Int)
      _ <- turn (Asked n count maxBound) (Derny.whnfIO (modifyIORef' counter (+ 1)))
      readIORef counter
    limited = do
      result <- turn (Asked 1 4096 1) (Derny.whnfIO (pure ()))
      pure (taken result, timed result < 1000000000)
    -- A result that is computed once and shared would be allocated only once.
    forced = (,) <$> allocatedIn 1 <*> allocatedIn 100
    allocatedIn n = allocated <$> turn (Asked n 1 maxBound) (Derny.nf (enumFromTo 1) (100 :: Int))
    allocatedBy body = allocated <$> turn (Asked 1000 3 maxBound) body
    inputs = do
      counter <- newIORef (0 :: Int)
      let next = atomicModifyIORef' counter (\n -> (n + 1, n))
      _ <- turn (Asked 2500 1 maxBound) (Derny.fresh next pure)
      readIORef counter
    turn asked body = do
      known <- counters
      room <- newBuffer
      opened <- Body.open body
      result <- takeTurn known room asked (Body.batch opened)
      Body.close opened
      pure result

commandLine :: [Test]
commandLine =
  [ ("defaults", parsed [] === Just (Run defaultConfig Prefix [], []))
  , ("long and short options, with and without equals sign", fmap (field . fst) (parsed ["-L2.5", "--ci=0.99", "--csv", "a.csv", "-o", "r.html", "-v", "2", "fib"]) === Just (2.5, 0.99, Just "a.csv", Just "r.html", Verbose))
  , ("glob before or after iterations", map (fmap fst) [parsed ["-m", "glob", "x", "-n", "10"], parsed ["-n", "10", "-m", "glob", "x"]] === replicate 2 (Just (RunIters defaultConfig 10 Glob ["x"])))
  , ("list and version", map (fmap fst) [parsed ["--list"], parsed ["-l"], parsed ["--version"]] === [Just List, Just List, Just Version])
  , ("a regression is checked", [isWrong ["--regress", r] | r <- ["allocated:iters", "cpuTime:iters,numGcs", "x:iters", "iters", "time:"]] === [False, False, True, True, True])
  , ("ranges are checked", [isWrong a | a <- [["-L", "0"], ["--ci", "1.5"], ["-v", "3"], ["--resamples", "0"], ["--match", "regex"], ["--frob"], ["-n"]]] === replicate 7 True)
  , ("tasty-bench's options go to the engine", fmap snd (parsed ["--baseline", "main", "--fail-if-slower", "10"]) === Just ["--against", "main", "--margin", "10.0%", "--fail-on", "worse"])
  , ("and its pattern selects", fmap fst (parsed ["-p", "ib"]) === Just (Run defaultConfig Pattern ["ib"]))
  , ("prefix, pattern and glob", [matching Prefix "fib" "fib/1", matching Prefix "ib" "fib/1", matching Pattern "ib" "fib/1", matching IPattern "FIB" "fib/1"] === [True, False, True, True])
  , ("globs treat names as paths", [matching Glob g "foo/bar" | g <- ["*/ba*", "*/*", "*", "*bar", "**/bar", "foo/[a-c]ar", "foo/?ar", "foo/[!b]ar"]] === [True, True, False, False, True, True, True, False])
  , ("a glob that is none", holds "it was one" (isLeft (() <$ makeMatcher Glob ["[a"])))
  , ("the engine's options", engineArgs defaultConfig {timeLimit = 2, confInterval = cl99} === ["run", "--budget", "2.0s", "--set", "confidence=0.99"])
  , ("a regression asks for batches that grow, and is passed on", [drop 5 (engineArgs asking), regressed asking] === [["--set", "ladder=yes", "-o", "/dev/null"], ["--regress", "allocated:iters,numGcs"]])
  , ("rows with quotes and commas", rows "Name,Mean\r\n\"a,\"\"b\"\"\",1.5\r\nc,2\r\n" === [["Name", "Mean"], ["a,\"b\"", "1.5"], ["c", "2"]])
  , ("a ratio is read from a comparison", map ratioOf ["", compared "cpu,1,1,1", compared "typical,0.95,-0.1,3", compared "typical,1,,"] === [Nothing, Nothing, Just (1.95, 0.9, 4), Just (2, 2, 2)])
  , ("a ratio is within bounds or not", map (isWithin (0.5, 2)) [(3, 1, 4), (0.2, 0.1, 0.3), (2, 1.9, 2.3)] === [False, False, True])
  , ("JUnit", holds "it was not escaped" ("<testcase name=\"a&lt;&quot;\" time=\"1.5\" />" `isInfixOf` junit [["a<\"", "1.5"]]))
  , ("levels", confidenceLevel (mkCL 0.75 :: CL Double) === 0.75)
  ]
  where
    asking = defaultConfig {regressions = [(["iters", "numGcs"], "allocated")]}
    compared row = "statistic,change,change_lo,change_hi\r\n" ++ row ++ "\r\n"
    parsed args = case parseArgs defaultConfig args of
      Parsed mode extra -> Just (mode, extra)
      _ -> Nothing
    isWrong args = case parseArgs defaultConfig args of
      Wrong _ -> True
      _ -> False
    matching kind word text = either (const False) ($ text) (makeMatcher kind [word])
    field mode = case mode of
      Run c _ _ -> (timeLimit c, confidenceLevel (confInterval c), csvFile c, reportFile c, verbosity c)
      _ -> (0, 0, Nothing, Nothing, Quiet)

measuring :: [Test]
measuring =
  [ ("measure counts its iterations", fst <$> measure (whnf exp (2 :: Double)) 10 >>= \m -> (measIters m, measTime m >= 0) === (10, True))
  , ("measure has an environment for each call", perCall)
  , ("times for people", map secs [1.5, 0.0123, 4.2e-9, 0.00000123456, 123456] === ["1.500 s", "12.30 ms", "4.200 ns", "1.235 μs", "123456 s"])
  , ("a Benchmarkable of one's own", own)
  ]
  where
    perCall = do
      made <- newIORef (0 :: Int)
      (m, _) <- measure (perRunEnv (modifyIORef' made (+ 1)) pure) 5
      count <- readIORef made
      (count, measIters m) === (5, 5)
    own = do
      counter <- newIORef (0 :: Int)
      let it = Benchmarkable {allocEnv = pure, cleanEnv = \_ _ -> pure (), runRepeatedly = \_ n -> modifyIORef' counter (+ fromIntegral n), perRun = False}
      (m, _) <- measure it 9
      count <- readIORef counter
      (count, measIters m, perRun it) === (9, 9, False)
