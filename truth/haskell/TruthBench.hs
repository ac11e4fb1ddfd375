-- | The bodies, as benchmarks of Derny.
module Main (main) where

import Bodies (Body (..), bodies)
import Derny

main :: IO ()
main = suite [bench name (benchmark body) | (name, body) <- bodies]
  where
    benchmark (Function f x) = nf f x
    benchmark (Action act) = nfIO act
