(ns derny.core-test
  (:require [clojure.test :refer [deftest is]]
            [derny.core :refer [bench defbench]]
            [derny.registry :as registry])
  (:import (derny Loop)))

(set! *warn-on-reflection* true)

(def torn-down (atom []))

(defbench own/join
  {:params   [n [10 1000], kind [:short :long]]
   :when     (not (and (= n 1000) (= kind :long)))
   :setup    [words (vec (repeat n (name kind)))]
   :teardown (swap! torn-down conj (count words))
   :items    n
   :tags     [:fast]}
  (apply str words))

(defn- registered [name]
  (get-in @@#'registry/benchmarks [:by-name name]))

(deftest parameters-and-set-up-are-locals
  (let [{:keys [open items params when file line]} (registered "own/join")
        state                                       (open {"n" 2 "kind" :long})]
    (is (= [["n" [10 1000]] ["kind" [:short :long]]] params))
    (is (= "longlong" (.once ^Loop (:loop state))))
    (is (= 7 (items {"n" 7 "kind" :short})))
    (is (= [true false] [(when {"n" 10 "kind" :long}) (when {"n" 1000 "kind" :long})]))
    ((:teardown state))
    (is (= [2] @torn-down))
    (is (and (.endsWith ^String file "core_test.clj") (= 11 line)) (str file ":" line))))

(deftest fresh-inputs-are-made-before-the-batch
  (let [made  (atom 0)
        _     (defbench own/fresh {:fresh [input (swap! made inc)]} input)
        state ((:open (registered "own/fresh")) {})]
    ((:before state) 3)
    (is (= 3 @made))
    (is (= 3 (.once ^Loop (:loop state))))
    (is (= 1024 (:max-iterations (registered "own/fresh"))))))

(deftest mistakes-are-told-when-the-file-is-read
  (doseq [[form message] {'(derny.core/defbench a {:setpu [x 1]} x)           "unknown option :setpu"
                          '(derny.core/defbench a {:params [n]} n)            ":params must be a vector"
                          '(derny.core/defbench a {:times false} 1)           ":times false needs :metrics"
                          '(derny.core/defbench a {:fresh [x 1] :timer t} x)  ":fresh cannot be combined with :timer"}]
    (let [error (try (macroexpand-1 form) (catch Throwable error error))
          cause (or (ex-cause error) error)]
      (is (.contains (str (ex-message cause)) ^String message)))))

(deftest a-name-is-replaced-in-a-session-and-refused-in-a-file
  (defbench own/twice 1)
  (defbench own/twice 2)
  (is (= 2 (.once ^Loop (:loop ((:open (registered "own/twice")) {})))))
  (binding [registry/*serving* true]
    (is (thrown-with-msg? IllegalArgumentException #"defined twice" (eval '(derny.core/defbench own/twice 3))))))

(deftest an-expression-in-a-file-is-a-benchmark
  (binding [registry/*serving* true]
    (let [x 20] (bench (inc x))))
  (is (= 21 (.once ^Loop (:loop ((:open (registered "(inc x)")) {}))))))

(deftest the-java-core-takes-them
  (is (some? (registry/suite))))
