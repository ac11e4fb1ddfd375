-- | Exceptions in the form in which the engine receives them. Independent of verbs.
module Derny.Failure (Failure (..), failed, attempt) where

import Control.Exception (AsyncException (UserInterrupt), SomeException (..), displayException, fromException, throwIO, try)
import Data.Typeable (typeOf)

data Failure = Failure
  { sentence :: String
  , detail :: Maybe String
  }
  deriving (Eq, Show)

-- | Makes a failure of the SDK itself, which has no details.
failed :: String -> Failure
failed why = Failure why Nothing

-- | Runs an action of the benchmark. @place@ names the action in the detail of a failure. An
-- exception becomes a failure whose message is its class and text. The detail is everything that
-- the exception can show, such as the call stack of 'error'. An interrupt propagates.
attempt :: String -> IO a -> IO (Either Failure a)
attempt place action = try action >>= either caught (pure . Right)
  where
    caught wrapped@(SomeException e)
      | Just UserInterrupt <- fromException wrapped = throwIO UserInterrupt
      | otherwise = pure (Left (Failure (takeWhile (/= '\n') text) (Just (text ++ "\n  in " ++ place))))
      where
        text = show (typeOf e) ++ ": " ++ displayException e
