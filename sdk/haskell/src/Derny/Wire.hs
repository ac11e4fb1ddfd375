{-# LANGUAGE CPP #-}

-- | The encoding of lines, and the two streams. Independent of verbs.
module Derny.Wire
  ( Line
  , verb
  , word
  , field
  , list
  , errorLine
  , finish
  , Message (..)
  , verbOf
  , parse
  , get
  , needed
  , integer
  , params
  , paramLists
  , Streams
  , openStreams
  , streamsOf
  , readLine
  , writeReply
  ) where

import Control.Exception (IOException, try)
import Control.Monad (when)
import qualified Data.ByteString as B
import Data.ByteString.Builder (Builder)
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as L
import Data.Char (chr, isDigit, ord)
import Data.List (stripPrefix)
import qualified Data.Text as T
import Data.Text.Encoding (decodeUtf8')
import Data.Word (Word64, Word8)
import Derny.Failure (Failure (..))
import System.Environment (lookupEnv, unsetEnv)
import System.IO (BufferMode (..), Handle, hFlush, hSetBinaryMode, hSetBuffering)
import System.IO.Error (isEOFError)
import System.Posix.IO
  ( FdOption (CloseOnExec)
  , OpenMode (..)
  , closeFd
  , defaultFileFlags
  , fdToHandle
  , openFd
  , setFdOption
  )
import Text.Read (readMaybe)

-- | Maximum length of a line in bytes, including the line feed.
longest :: Int
longest = 65536

type Line = Builder

verb :: String -> Line
verb = Builder.string7

-- | Appends a word without a key. It must not need encoding.
word :: Show a => a -> Line
word value = Builder.char7 ' ' <> Builder.string7 (show value)

field :: String -> String -> Line
field key value = Builder.char7 ' ' <> encode False key <> Builder.char7 '=' <> encode False value

-- | Appends a list, unless it is empty.
list :: String -> [String] -> Line
list _ [] = mempty
list key (first : rest) =
  Builder.char7 ' ' <> encode False key <> Builder.char7 '=' <> encode True first <> foldMap item rest
  where
    item text = Builder.char7 ',' <> encode True text

-- | Returns the line @error message=… detail=…@, with the message cut to 4,096 bytes and the detail
-- to 16,384.
errorLine :: Failure -> Line
errorLine (Failure text more) =
  verb "error" <> field "message" (cut 4096 text) <> maybe mempty (field "detail" . cut 16384) more

encode :: Bool -> String -> Builder
encode inList = foldMap each
  where
    each c
      | c == '%' || c <= ' ' || c == '=' || c == '\DEL' || (inList && c == ',') = escaped (ord c)
      | c >= '\xD800' && c <= '\xDFFF' = Builder.charUtf8 '\xFFFD'
      | otherwise = Builder.charUtf8 c
    escaped code = Builder.char7 '%' <> digit (code `div` 16) <> digit (code `mod` 16)
    digit n = Builder.char7 ("0123456789ABCDEF" !! n)

-- | Returns the longest prefix of a text that has at most the given number of bytes in UTF-8.
cut :: Int -> String -> String
cut _ [] = []
cut left (c : rest)
  | size > left = []
  | otherwise = c : cut (left - size) rest
  where
    size = if c < '\x80' then 1 else if c < '\x800' then 2 else if c < '\x10000' then 3 else 4 :: Int

-- | Returns the reply as bytes without its last line feed. Fails if a line is too long.
finish :: Line -> Either Failure B.ByteString
finish line
  | B.length bytes < longest || all ((< longest) . B.length) (C.lines bytes) = Right bytes
  | otherwise = Left (Failure "a line of the reply is longer than 65,535 bytes" Nothing)
  where
    bytes = L.toStrict (Builder.toLazyByteString line)

-- | A parsed line: its verb, and its fields with decoded keys. Values are still encoded, because
-- lists must be split first.
data Message = Message
  { messageVerb :: String
  , messageFields :: [(String, B.ByteString)]
  }
  deriving (Eq, Show)

verbOf :: B.ByteString -> String
verbOf = C.unpack . C.takeWhile (/= ' ')

-- | Parses a line. Fails if it is malformed.
parse :: B.ByteString -> Either String Message
parse line = Message name <$> go [] (drop 1 (C.split ' ' line))
  where
    name = verbOf line
    go found [] = Right (reverse found)
    go found (text : rest) = do
      let (begin, end) = C.break (== '=') text
      when (B.null end) (Left (name ++ ": `" ++ C.unpack text ++ "` is not of the form key=value"))
      key <- prefixed (decode begin)
      _ <- prefixed (decode (B.drop 1 end))
      when (any ((== key) . fst) found) (Left (name ++ ": the key " ++ key ++ " appears twice"))
      go ((key, B.drop 1 end) : found) rest
    prefixed = either (Left . ((name ++ ": ") ++)) Right

decode :: B.ByteString -> Either String String
decode text = do
  bytes <- B.pack <$> go (B.unpack text)
  either (const (Left ("`" ++ C.unpack text ++ "` decodes to bytes that are not valid UTF-8"))) (Right . T.unpack) (decodeUtf8' bytes)
  where
    go [] = Right []
    go (37 : rest) = case rest of
      high : low : more | Just h <- hex high, Just l <- hex low -> ((h * 16 + l) :) <$> go more
      _ -> Left ("`" ++ C.unpack text ++ "` has a % that is not followed by two hexadecimal digits")
    go (byte : rest)
      | byte < 32 || byte == 127 || byte == 61 = Left ("`" ++ C.unpack text ++ "` has a character that must be encoded")
      | otherwise = (byte :) <$> go rest

hex :: Word8 -> Maybe Word8
hex byte
  | c >= '0' && c <= '9' = Just (byte - 48)
  | c >= 'A' && c <= 'F' = Just (byte - 55)
  | c >= 'a' && c <= 'f' = Just (byte - 87)
  | otherwise = Nothing
  where
    c = chr (fromIntegral byte)

get :: String -> Message -> Maybe String
get key message = lookup key (messageFields message) >>= either (const Nothing) Just . decode

-- | Returns the value of a key. Fails if the key is missing.
needed :: String -> Message -> Either String String
needed key message =
  maybe (Left (messageVerb message ++ ": the key " ++ key ++ " is missing")) Right (get key message)

-- | Returns an integer from 0 to 2⁶⁴ - 1. Fails if the key is missing or its value is invalid.
integer :: String -> Message -> Either String Word64
integer key message = do
  text <- needed key message
  case readMaybe text of
    Just n | not (null text) && all isDigit text && n < (2 ^ (64 :: Int) :: Integer) -> Right (fromInteger n)
    _ -> Left (messageVerb message ++ ": " ++ key ++ " must be an integer, not `" ++ text ++ "`")

-- | Returns the fields @p.NAME@ in order, each with one value.
params :: Message -> [(String, String)]
params message = [(name, text) | (name, value) <- encodedParams message, Right text <- [decode value]]

-- | Returns the fields @p.NAME@ in order, each with a list of values.
paramLists :: Message -> [(String, [String])]
paramLists message = [(name, [text | Right text <- map decode (items value)]) | (name, value) <- encodedParams message]
  where
    -- An empty value is a list with one empty item.
    items value = if B.null value then [value] else C.split ',' value

encodedParams :: Message -> [(String, B.ByteString)]
encodedParams message = [(name, value) | (key, value) <- messageFields message, Just name <- [stripPrefix "p." key]]

data Streams = Streams Handle Handle

-- | Opens the streams that the environment names. Returns nothing if it names none, because a user
-- started the program. Unsets the variables, and prevents child processes from inheriting the
-- streams.
openStreams :: IO (Either String (Maybe Streams))
openStreams = do
  replies <- lookupEnv "DERNY_REPLIES"
  commands <- lookupEnv "DERNY_COMMANDS"
  case (replies, commands) of
    (Nothing, Nothing) -> pure (Right Nothing)
    (Just _, Nothing) -> pure (Left "DERNY_REPLIES is set but not DERNY_COMMANDS")
    (Nothing, Just _) -> pure (Left "DERNY_COMMANDS is set but not DERNY_REPLIES")
    (Just to, Just from) -> do
      mapM_ unsetEnv ["DERNY_REPLIES", "DERNY_COMMANDS"]
      -- Keep this order. Opening a FIFO blocks until the engine opens its other end.
      opened <- try (Streams <$> open WriteOnly to <*> open ReadOnly from)
      pure (either (\why -> Left (show (why :: IOException))) swapped opened)
  where
    swapped (Streams to from) = Right (Just (Streams from to))

-- | Returns the streams of a conversation with an engine that this process started. The arguments
-- are the handles for commands and for replies.
streamsOf :: Handle -> Handle -> IO Streams
streamsOf commands replies = do
  mapM_ (`hSetBinaryMode` True) [commands, replies]
  mapM_ (`hSetBuffering` BlockBuffering Nothing) [commands, replies]
  pure (Streams commands replies)

open :: OpenMode -> FilePath -> IO Handle
open mode path = do
  fd <- openAnew
  setFdOption fd CloseOnExec True
  case stripPrefix "/dev/fd/" path >>= readMaybe of
    -- The descriptor has been reopened, so close the original, which child processes would inherit.
    Just inherited | inherited > 2 && inherited /= fd -> closeFd inherited
    _ -> pure ()
  handle <- fdToHandle fd
  hSetBuffering handle (BlockBuffering Nothing)
  pure handle
  where
#if MIN_VERSION_unix(2,8,0)
    openAnew = openFd path mode defaultFileFlags
#else
    openAnew = openFd path mode Nothing defaultFileFlags
#endif

-- | Returns the next command, or nothing at the end of the stream. Waits in the runtime's event
-- loop, so that other threads can run.
readLine :: Streams -> IO (Maybe B.ByteString)
readLine (Streams commands _) = try (C.hGetLine commands) >>= either ended (pure . Just)
  where
    ended why = if isEOFError why then pure Nothing else ioError why

writeReply :: Streams -> B.ByteString -> IO ()
writeReply (Streams _ replies) bytes = B.hPut replies (B.snoc bytes 10) >> hFlush replies
