(ns setup-clojure-bench
  (:require [derny.core :refer [defbench]])
  (:import (java.util Arrays HashMap)))

(defn disorder
  "Returns the same unsorted numbers in every process, so that all processes sort the same input."
  ^doubles [n]
  (double-array (take n (rest (iterate #(mod (+ (* % 1103515245) 12345) 2147483648) 42)))))

;; WRONG: the first iteration sorts, all later ones get an array that is already sorted.
(defbench "1 wrong: sorted once" {:params [n [1000]] :setup [numbers (disorder n)]}
  (do (Arrays/sort numbers) numbers))

;; BETTER: every iteration sorts a copy, but the copying is timed too.
(defbench "2 copy timed" {:params [n [1000]] :setup [numbers (disorder n)]}
  (doto (aclone numbers) (Arrays/sort)))

;; RIGHT: a fresh input for every iteration, made before the batch and outside of the timed region.
(defbench "3 fresh input" {:params [n [1000]] :setup [numbers (disorder n)] :fresh [copy (aclone numbers)]}
  (doto ^doubles copy (Arrays/sort)))

;; :before-batch and :after-batch run once per batch, untimed. Here each batch begins with an empty cache.
(defbench "4 before each batch" {:setup [cache (HashMap.)] :before-batch (.clear cache) :max-iterations 100}
  (.put cache (.size cache) "value"))
