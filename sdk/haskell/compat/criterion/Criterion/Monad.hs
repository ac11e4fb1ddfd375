-- | Actions with access to a configuration.
module Criterion.Monad (Criterion, withConfig, configured) where

import Control.Monad.IO.Class (MonadIO (..))
import Criterion.Types (Config)

-- | An action with access to the configuration.
newtype Criterion a = Criterion (Config -> IO a)

instance Functor Criterion where
  fmap f (Criterion run) = Criterion (fmap f . run)

instance Applicative Criterion where
  pure = Criterion . const . pure
  Criterion f <*> Criterion x = Criterion (\c -> f c <*> x c)

instance Monad Criterion where
  Criterion x >>= f = Criterion (\c -> x c >>= \a -> let Criterion run = f a in run c)

instance MonadIO Criterion where
  liftIO = Criterion . const

-- | The configuration.
configured :: Criterion Config
configured = Criterion pure

-- | Runs an action with a configuration.
withConfig :: Config -> Criterion a -> IO a
withConfig config (Criterion run) = run config
