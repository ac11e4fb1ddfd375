(ns keirin.core-test
  "Tests Keirin's public functions without an engine: DERNY_BIN names a missing file."
  (:require [clojure.string :as string]
            [clojure.test :refer [are deftest is testing]]
            [keirin.attached :as attached]
            [keirin.core :as k]
            [keirin.result :as result]
            [keirin.text :as text])
  (:import (java.io StringWriter)))

(def short-runs [:num-timed-runs 3 :min-execution-time 5])

(deftest every-public-var-of-keirin-is-there
  (is (every? (ns-publics 'keirin.core)
              '[bench bench* quick-bench quick-bench* execute-many heap-used force-gc abs TimedRunResultAccessor set-result!
                get-hash-code ->TimedRunResultType timed-run-result])))

(deftest statistics
  (are [f xs value] (= value (f xs))
    #'k/mean [4 2 3 1]                           2.5
    #'k/sample-variance [7]                      0.0
    #'k/sample-variance [1 2 3 4]                (/ 5 3.0)
    #'k/sample-standard-deviation [1 2 3]        1.0
    #'k/median [1 3 2]                           2.0
    #'k/median [10 2 6 4]                        5.0
    #'k/MAD [1 2 3 11]                           1.0
    #'k/MAD [5 5 5]                              0.0
    k/abs -1                                     1.0
    #'k/parse-gc-file-name "-Xlog:gc:gc.out"     "gc.out"))

(deftest printed-forms
  (are [ms told] (= told (text/humane ms))
    0.00000123 "1.23 ns", 0.02433 "24.33 µs", 5.17 "5.17 ms", 1500 "1.50 seconds", 0 "0.00 ns")
  (is (= "Time taken (median) 25.90 ns\nMean absolute deviation (MADS)  0.62 ns\nTiming loop overhead  14.17% (3.67 ns)\n"
         (string/replace (with-out-str (text/display {:median 25.9e-6 :MAD 0.62e-6 :timing-overhead 3.67e-6})) "\r" ""))))

(deftest options
  (let [settings #(#'k/settings % {:num-timed-runs 7})]
    (is (= {:num-timed-runs 7 :min-execution-time 200 :reporting :display-humane} (settings [])))
    (is (= 12 (:num-timed-runs (settings [:timed-runs 12]))))
    (is (= 5 (:num-timed-runs (settings [:timed-runs 12 :num-timed-runs 5]))))
    (is (= [1 2] (:other (settings [:other [1 2]]))) "a collection as a value stays one")))

(deftest the-map-of-a-function
  (reset! @#'attached/told-missing false)
  (let [err    (StringWriter.)
        result (binding [*err* err]
                 (apply k/bench* (fn [] (reduce + (range 100))) :reporting :underlying-results short-runs))]
    (is (string/includes? (str err) "cannot start the engine"))
    (is (= #{:num-executions :timed-runs :gc-failures :compilation-failures :class-loading-failures :mean :median :std :MAD
             :final-gc-time :data}
           (set (keys (dissoc result :notes)))))
    (is (= 3 (:timed-runs result) (count (:data result))))
    (is (every? #(= 4950 (:result-hash-code %)) (:data result)))
    (is (every? double? (map result [:mean :median :std :MAD :final-gc-time])))
    (is (every? #(< 0 (:time-taken %)) (:data result)))
    (is (pos? (:median result)))))

(deftest forms-that-keirin-could-not-measure
  (testing "an endless result, printed; locals are closed over; the run is a sum of exactly n executions"
    (let [start 0
          calls (atom 0)
          text  (with-out-str (binding [*err* (StringWriter.)]
                                (is (nil? (k/quick-bench (do (swap! calls inc) (iterate inc start)) :num-timed-runs 2
                                                         :min-execution-time 5 :no-force-gc true)))))]
      (is (re-matches #"Time taken \(median\) [\d.]+ \S+\nMean absolute deviation \(MADS\)  [\d.]+ \S+\n" text))
      (is (pos? @calls)))))

(deftest exceptions-of-the-payload-reach-the-caller
  (let [mine (ex-info "mine" {})]
    (is (identical? mine (try (binding [*err* (StringWriter.)] (k/bench (throw mine))) (catch Throwable error error))))))

(deftest hashes
  (are [value code] (= code (result/hash-code value))
    nil nil, 499500 499500, "a" (.hashCode "a"), [1 2] (.hashCode [1 2]), {:a 1} (.hashCode {:a 1})
    (iterate inc 0) ::result/none, (repeat 1) ::result/none, {:deep [(range)]} ::result/none
    (proxy [Object] [] (hashCode [] (throw (UnsupportedOperationException.)))) ::result/none)
  (let [hasher (result/hasher)]
    (is (= [7 nil nil] (mapv #(result/code hasher %) [7 (range) 7])))
    (is (result/gave-up? hasher))))

(deftest the-bare-loop
  (let [calls (atom 0)]
    (is (= {:result-hash-code 10} (dissoc (k/execute-many #(swap! calls inc) 10) :time-taken)))
    (is (= 10 @calls))))
