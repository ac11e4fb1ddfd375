(ns conformance
  "The benchmarks that `derny dev conform` runs. Their correct results are in
  protocol/IMPLEMENTING.md."
  (:require [derny.core :refer [defbench]])
  (:import (java.util.concurrent.atomic AtomicLong)))

(set! *warn-on-reflection* true)

(defn busy [^long us]
  (let [end (+ (System/nanoTime) (* us 1000))]
    (while (< (System/nanoTime) end))))

(defn fail-at [place at]
  (when (= place at) (throw (IllegalStateException. (str "thrown in " place)))))

(defbench conform/empty nil)

(defbench conform/busy {:params [us [20 200]]} (busy us))

(defbench conform/count
  {:setup   [calls (AtomicLong.)]
   :metrics {calls {:unit "count" :kind :total :better :none :exact true :value (.getAndSet calls 0)}}}
  (.incrementAndGet calls))

(defbench conform/setup {:before-batch (busy 2000)} (busy 20))

(defbench conform/params
  {:params [size [1 2], kind ["a" "b"]]
   :when   (not (and (= size 2) (= kind "b")))}
  nil)

(defbench conform/text {:params [text ["plain"]]} text)

(defbench conform/throw
  {:params   [at ["setup" "call" "teardown"]]
   :setup    [_ (fail-at "setup" at)]
   :teardown (fail-at "teardown" at)}
  (fail-at "call" at))

(defbench conform/print
  (do (println "times 1 2 3")
      (binding [*out* *err*] (println "error message=printed fatal=1"))))

(defbench conform/self
  {:params [us [20]] :timer timer}
  (.start timer)
  (dotimes [_ (.iterations timer)] (busy us))
  (.stop timer))

(defbench conform/value
  {:times false :metrics {answer {:unit "count" :better :more :exact true :value 42}}}
  nil)

(defbench conform/skip {:skip "not here"} nil)
