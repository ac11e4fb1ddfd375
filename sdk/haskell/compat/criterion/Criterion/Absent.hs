{-# LANGUAGE DataKinds, FlexibleInstances, KindSignatures, MultiParamTypeClasses, TypeOperators, UndecidableInstances #-}

-- | What the packages that come with GHC cannot give: names that the compiler refuses where they are used, in a sentence that
-- says why, and what to do instead.
module Criterion.Absent (Absent) where

import GHC.TypeLits (ErrorMessage (..), Symbol, TypeError)

-- | A value that has types of a package, and what to do without.
class Absent (package :: Symbol) (instead :: Symbol) a

instance
  TypeError
    ( 'Text "This has types of the package " ':<>: 'Text package ':<>: 'Text ", which Derny's criterion does without:"
        ':$$: 'Text instead
    )
  => Absent package instead a
