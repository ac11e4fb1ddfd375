(ns dead-code-clojure-bench
  (:require [derny.core :refer [consume defbench]]))

(defmacro root [radius] `(/ (Math/sqrt ~radius) (Math/cbrt (+ ~radius 1.0))))

;; WRONG: the result is unused, so the compiler may remove the computation.
(defbench "1 wrong: result dropped" {:setup [radius 3.0]}
  (do (root radius) nil))

;; WRONG: the input is a constant, so the compiler may compute the result once, before the loop.
(defbench "2 wrong: constant input" (root 3.0))

;; RIGHT: every iteration reads the input from a local of the set-up, and the result is the body's
;; value.
(defbench "3 right" {:setup [radius 3.0]}
  (root radius))

;; RIGHT: `consume` takes a result that is not the body's value.
(defbench "4 right: two results" {:setup [radius 3.0]}
  (consume (root radius))
  radius)

;; The cost that all benchmarks share: the loop, reading the input, keeping the result.
(defbench "5 nothing" {:setup [radius 3.0]} radius)
