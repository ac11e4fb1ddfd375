(ns async-clojure-bench
  (:require [derny.core :refer [defbench]]))

(def file *file*)

;; Reads in this thread.
(defbench read/synchronous (slurp file))

;; Reads in a thread of the pool; a body waits by itself for what it began.
(defbench read/future @(future (slurp file)))

;; A callback becomes a promise.
(defbench read/promise
  (let [text (promise)]
    (send-off (agent nil) (fn [_] (deliver text (slurp file))))
    @text))

;; What the detour costs by itself.
(defbench await/future @(future nil))

(defbench await/promise
  (let [answer (promise)]
    (deliver answer 42)
    @answer))
