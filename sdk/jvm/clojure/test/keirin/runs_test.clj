(ns keirin.runs-test
  "Tests the rules for taking runs with scripted instead of timed runs, and the
  detection of JVM events."
  (:require [clojure.test :refer [deftest is]]
            [derny.site :as site]
            [keirin.core :as k]
            [keirin.events :as events]
            [keirin.runs :as runs]))

(defn- script
  "Returns a function of n that takes scripted runs, one per entry; the last entry
  repeats. An entry is :clean, a list of event kinds, or the ns per execution."
  [each & entries]
  (let [left (atom entries)]
    (fn [n]
      (let [entry (first @left)]
        (swap! left #(if (next %) (next %) %))
        {:ns     (* n (if (number? entry) entry each)) :executions n :result-hash-code 1
         :events (if (coll? entry) (zipmap entry (repeat {:count 1})) {})}))))

(deftest clean-runs-are-taken-as-they-come
  (let [taken (runs/collect (script 100 :clean) 10 {:wanted 7 :min-ns 1000})]
    (is (= [7 0 false 10] [(count (:runs taken)) (:disturbed taken) (:exhausted? taken) (:executions taken)]))))

(deftest a-disturbed-run-is-counted-and-taken-again
  (let [taken (runs/collect (script 100 [:gc] :clean [:compilation :class-loading] :clean) 10 {:wanted 3 :min-ns 0})]
    (is (= {:gc 1 :compilation 1 :class-loading 1} (:failures taken)))
    (is (every? #(empty? (:events %)) (:runs taken)))))

(deftest at-the-limit-nothing-is-thrown-away
  (let [taken (runs/collect (script 100 :clean [:gc]) 10 {:wanted 30 :min-ns 0})]
    (is (= [30 29 29] [(count (:runs taken)) (:disturbed taken) (get-in taken [:failures :gc])]))
    (is (empty? (:events (first (:runs taken)))) "in the order in which they were taken"))
  (let [taken (runs/collect (script 100 [:gc]) 10 {:wanted 7 :min-ns 0})]
    (is (= [7 7 10] [(count (:runs taken)) (:disturbed taken) (get-in taken [:failures :gc])]))))

(deftest a-run-that-became-too-short-gets-more-executions
  (let [taken (runs/collect (script 20 100 50 20) 10 {:wanted 3 :min-ns 1000})]
    (is (every? #(>= (:ns %) 1000) (:runs taken)))
    (is (= 2 (:short taken)))
    (is (<= 55 (:executions taken) 56) "22 for 50 ns each, then a tenth more than 50 for 20 ns"))
  (is (= 1 (:executions (runs/collect (script 20 20) 1 {:wanted 3 :min-ns 1000 :fixed true})))))

(deftest calibration
  (is (<= 2000 (runs/calibrate (script 100 100) 200000) 2300))
  (is (= 1 (runs/calibrate (script 1e9 1e9) 200000)))
  (is (= 1000 (runs/longer 1 0 5)) "a clock that stands still asks for a thousand times more"))

(deftest strict-throws-as-keirin-did
  (let [options {:num-timed-runs 7 :min-execution-time 200}
        counts  {:gc 10 :compilation 0 :class-loading 0}]
    (is (thrown-with-msg? Exception #"Unable to complete 7 timed runs. GC failures: 10"
                          (#'k/refuse! {:failures counts :exhausted? true :shortest-ns 3e8} options)))
    (is (thrown-with-msg? Exception #"for long enough"
                          (#'k/refuse! {:failures counts :exhausted? false :shortest-ns 1e8} options)))
    (is (nil? (#'k/refuse! {:failures counts :exhausted? false :shortest-ns 1.6e8} options)))))

(defn- noticed
  "Returns how many of `times` runs report `kind`. Each run calls a function made by
  `make`, which provokes the event."
  [kind times make]
  (count (for [_ (range times)
               :let [provoke (make)
                     run     (runs/take-run (site/of-function provoke) 1 (constantly nil))]
               :when (get-in run [:events kind])]
           run)))

(defn- define-class! []
  (let [name (str "made.Class" (gensym))]
    (fn [] (eval `(fn [] ~name)))))

(defn- hot
  "Returns a function of a new class that runs a hot loop. The JVM compiles in the
  foreground (-Xbatch), so the compilation happens within the run."
  []
  (let [f (eval `(fn [n#] (loop [i# 0 sum# 0] (if (< i# n#) (recur (inc i#) (bit-xor sum# i#)) sum#))))]
    (fn [] (f 200000))))

(deftest what-happens-in-a-run-is-noticed
  (is (= 10 (noticed :gc 10 (constantly #(System/gc)))))
  (is (= 10 (noticed :class-loading 10 define-class!)))
  (is (= 10 (noticed :compilation 10 hot))))

(deftest a-run-executes-exactly-n-times
  (let [calls (atom 0)]
    (doseq [n [1 2 1000]]
      (reset! calls 0)
      (is (= n (do (runs/take-run (site/of-function #(swap! calls inc)) n identity) @calls))))))

(deftest nothing-happened
  (is (= {} (events/between (long-array 5) (long-array 5))))
  (is (= {:gc {:count 2 :ms 3.0}} (events/between (long-array 5) (long-array [2 3000000 0 0 0])))))
