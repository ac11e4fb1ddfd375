(ns vec-bench
  "Measures the time of `vec` over the number of elements, like the published demonstration of
  Keirin's author. `derny run` measures it, and `derny plot --over n` draws it."
  (:require [derny.core :refer [defbench]]))

(defbench vec
  {:params [n [1000 2000 5000 10000 20000 50000]]
   :setup  [data (doall (range n)), numbers (apply list data)]
   :items  n}
  (clojure.core/vec numbers))
