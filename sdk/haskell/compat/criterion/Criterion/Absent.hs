{-# LANGUAGE DataKinds, FlexibleInstances, KindSignatures, MultiParamTypeClasses, TypeOperators, UndecidableInstances #-}

-- | A constraint for names that need packages which do not come with GHC. Using such a name is
-- a type error with the reason and an alternative.
module Criterion.Absent (Absent) where

import GHC.TypeLits (ErrorMessage (..), Symbol, TypeError)

-- | The constraint of an unavailable name: the package that it needs, and an alternative.
class Absent (package :: Symbol) (instead :: Symbol) a

instance
  TypeError
    ( 'Text "This name needs types of the package " ':<>: 'Text package ':<>: 'Text ", which Derny's version of criterion does not use. Instead:"
        ':$$: 'Text instead
    )
  => Absent package instead a
