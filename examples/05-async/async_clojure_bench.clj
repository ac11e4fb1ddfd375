(ns async-clojure-bench
  (:require [derny.core :refer [defbench]]))

(def file *file*)

;; Reads in this thread.
(defbench read/synchronous (slurp file))

;; Reads in a thread of the pool. The body itself waits for the future.
(defbench read/future @(future (slurp file)))

;; Wraps a callback in a promise.
(defbench read/promise
  (let [text (promise)]
    (send-off (agent nil) (fn [_] (deliver text (slurp file))))
    @text))

;; Measures the cost of the other thread alone.
(defbench await/future @(future nil))

(defbench await/promise
  (let [answer (promise)]
    (deliver answer 42)
    @answer))
