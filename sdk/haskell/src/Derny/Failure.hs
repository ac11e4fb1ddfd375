-- | An exception as the engine receives it. Independent of verbs.
module Derny.Failure (Failure (..), failed, attempt) where

import Control.Exception (AsyncException (UserInterrupt), SomeException (..), displayException, fromException, throwIO, try)
import Data.Typeable (typeOf)

-- | One sentence, and the details.
data Failure = Failure
  { sentence :: String
  , detail :: Maybe String
  }
  deriving (Eq, Show)

-- | A failure of the SDK, which consists of its sentence only.
failed :: String -> Failure
failed why = Failure why Nothing

-- | Runs an action of the benchmark; @place@ names it in the detail. An exception becomes a failure with class and
-- message. Its detail is everything that the exception can show, such as the call stack for 'error'. An interrupt is
-- not a failure and propagates.
attempt :: String -> IO a -> IO (Either Failure a)
attempt place action = try action >>= either caught (pure . Right)
  where
    caught wrapped@(SomeException e)
      | Just UserInterrupt <- fromException wrapped = throwIO UserInterrupt
      | otherwise = pure (Left (Failure (takeWhile (/= '\n') text) (Just (text ++ "\n  in " ++ place))))
      where
        text = show (typeOf e) ++ ": " ++ displayException e
