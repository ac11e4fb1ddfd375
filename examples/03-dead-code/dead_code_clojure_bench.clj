(ns dead-code-clojure-bench
  (:require [derny.core :refer [consume defbench]]))

(defmacro root [radius] `(/ (Math/sqrt ~radius) (Math/cbrt (+ ~radius 1.0))))

;; WRONG: nothing comes out, so nothing needs to be computed. The compiler is free to drop the body.
(defbench "1 wrong: result dropped" {:setup [radius 3.0]}
  (do (root radius) nil))

;; WRONG: the result comes out, but the input is a constant: it can be computed once, before the loop.
(defbench "2 wrong: constant input" (root 3.0))

;; RIGHT: the input is a local of set-up, which is read anew in every iteration, and the result is the body's value.
(defbench "3 right" {:setup [radius 3.0]}
  (root radius))

;; RIGHT: what is not the body's value is consumed.
(defbench "4 right: two results" {:setup [radius 3.0]}
  (consume (root radius))
  radius)

;; What all of them share: the loop, reading the input, keeping the result.
(defbench "5 nothing" {:setup [radius 3.0]} radius)
