-- | What an exception tells the engine. Knows no verb.
module Derny.Failure (Failure (..), failed, attempt) where

import Control.Exception (AsyncException (UserInterrupt), SomeException (..), displayException, fromException, throwIO, try)
import Data.Typeable (typeOf)

-- | One sentence, and what else there is to say.
data Failure = Failure
  { sentence :: String
  , detail :: Maybe String
  }
  deriving (Eq, Show)

-- | A failure of ours, which has no more to say than its sentence.
failed :: String -> Failure
failed why = Failure why Nothing

-- | Runs something of the benchmark's; @place@ names it for the user who reads the detail. What is thrown becomes a
-- failure: class and message, and as detail all that the exception can tell, which for 'error' is the stack of calls. An
-- interrupt is no failure and goes on upwards.
attempt :: String -> IO a -> IO (Either Failure a)
attempt place action = try action >>= either caught (pure . Right)
  where
    caught wrapped@(SomeException e)
      | Just UserInterrupt <- fromException wrapped = throwIO UserInterrupt
      | otherwise = pure (Left (Failure (takeWhile (/= '\n') text) (Just (text ++ "\n  in " ++ place))))
      where
        text = show (typeOf e) ++ ": " ++ displayException e
