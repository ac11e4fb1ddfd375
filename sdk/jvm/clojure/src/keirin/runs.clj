(ns keirin.runs
  "Keirin's method: warm up, find how many executions last long enough, take timed runs, and take those again into which
  something else fell. Knows neither what a user reads nor the engine.

  A *run* is {:ns total time, :executions n, :result-hash-code int or nil, :events what fell into it}. What takes a run is
  handed in as a function of n, so that the rules can be tested without a clock."
  (:require [keirin.events :as events])
  (:import (derny Blackhole Loop)))

(set! *warn-on-reflection* true)

(def limits
  "Runs of each kind of failure after which no more are taken again."
  {:gc 10 :compilation 10 :class-loading 5})

(def ^:private warm-up-limit-ns 10000000000)
(def ^:private window-ns 250000000)

(defn- batch-ns
  "Executes `n` times."
  ^long [^Loop body ^long n]
  (loop [left n, sum 0]
    (if (pos? left)
      (let [piece (min left Integer/MAX_VALUE)]
        (recur (- left piece) (+ sum (.batch body (int piece)))))
      sum)))

(defn take-run
  "Executes `n` times, exactly, and tells what happened meanwhile. The last execution is made by itself, since the loop keeps
  no result."
  [^Loop body ^long n hash-code]
  (Blackhole/forget)
  (let [before (events/snapshot)
        sum    (batch-ns body (dec n))
        start  (System/nanoTime)
        value  (.once body)
        ns     (+ sum (- (System/nanoTime) start))
        after  (events/snapshot)]
    {:ns ns :executions n :events (events/between before after) :result-hash-code (hash-code value)}))

(defn longer
  "More executions, so that they last for `min-ns` with a tenth to spare, given that `n` of them took `ns`."
  ^long [^long n ^long ns ^long min-ns]
  (let [wanted (if (pos? ns) (Math/ceil (/ (* 1.1 n min-ns) ns)) ##Inf)]
    (long (max (inc n) (min wanted (* 1000.0 n))))))

(defn calibrate
  "The executions of a run that lasts for at least `min-ns`. `run` is a function of n."
  [run min-ns]
  (loop [n 1]
    (let [{:keys [ns]} (run n)]
      (if (>= ns min-ns) n (recur (longer n ns min-ns))))))

(defn- window
  "Executes for a quarter of a second, in batches of 2 ms or so: {:n of the last batch, :best its ns per execution,
  :events}."
  [^Loop body first-n]
  (let [before (events/snapshot)
        start  (System/nanoTime)]
    (loop [n (long first-n), best (double ##Inf)]
      (let [ns   (long (batch-ns body n))
            best (Math/min best (/ (double ns) (double n)))
            n    (if (< ns 1000000) (* 2 n) n)]
        (if (< (- (System/nanoTime) start) (long window-ns))
          (recur n best)
          {:n n :best best :events (events/between before (events/snapshot))})))))

(defn warm-up
  "Executes until two windows have brought neither compilations nor classes nor a better time, for 10 s at most; the windows
  that it took."
  [body]
  (let [start (System/nanoTime)]
    (loop [n 1, best ##Inf, quiet 0, windows 0]
      (if (or (= quiet 2) (> (- (System/nanoTime) start) warm-up-limit-ns))
        windows
        (let [{:keys [events] :as now} (window body n)
              calm                     (and (not (:compilation events)) (not (:class-loading events))
                                            (> (double (:best now)) (* 0.97 best)))]
          (recur (long (:n now)) (Math/min best (double (:best now))) (if calm (inc quiet) 0) (inc windows)))))))

(defn- failed [failures events]
  (reduce (fn [counts kind] (update counts kind inc)) failures (keys events)))

(defn- exhausted? [failures]
  (some (fn [[kind limit]] (>= (failures kind) limit)) limits))

(defn collect
  "Takes runs until `wanted` of them are clean. When a kind of failure has reached its limit, the disturbed runs are taken
  as they are, so that nothing measured is thrown away. A run that ends before `min-ns`, because the code has become faster,
  is taken again with more executions, ten times at most; not where `fixed`.

  {:runs in the order in which they were taken, :executions of the last one, :failures by kind, :disturbed how many of the runs are,
   :exhausted? , :short how many runs ended too early}"
  [run n {:keys [wanted min-ns fixed]}]
  (loop [n n, clean [], disturbed [], failures {:gc 0 :compilation 0 :class-loading 0}, short 0]
    (let [enough (if (exhausted? failures) (+ (count clean) (count disturbed)) (count clean))]
      (if (>= enough wanted)
        (let [fill (take (- wanted (count clean)) disturbed)
              runs (sort-by :at (concat (take wanted clean) fill))]
          {:runs (mapv #(dissoc % :at) runs) :executions n :failures failures :disturbed (count fill)
           :exhausted? (boolean (exhausted? failures)) :short short})
        (let [{:keys [ns events] :as taken} (run n)
              taken                         (assoc taken :at (+ (count clean) (count disturbed)))]
          (cond
            (and (< ns min-ns) (not fixed) (< short 10)) (recur (longer n ns min-ns) clean disturbed failures (inc short))
            (seq events) (recur n clean (conj disturbed taken) (failed failures events) short)
            :else        (recur n (conj clean taken) disturbed failures short)))))))
