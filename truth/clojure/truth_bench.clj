(ns truth-bench
  "The bodies, as benchmarks of Derny."
  (:require [derny.core :refer [defbench]]
            [truth.bodies :as bodies]))

(defbench objects (bodies/objects))
(defbench buffer (bodies/buffer))
(defbench strings (bodies/strings))
(defbench join (bodies/join))
(defbench builder (bodies/builder))
(defbench map (bodies/hash-map'))
(defbench sort (bodies/sort'))
(defbench parse (bodies/parse))
(defbench closures (bodies/closures))
(defbench stream (bodies/stream))
(defbench sum (bodies/sum))
(defbench mix (bodies/mix))
(defbench search (bodies/search))
(defbench matrix (bodies/matrix))
