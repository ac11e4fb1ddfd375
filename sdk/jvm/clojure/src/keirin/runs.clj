(ns keirin.runs
  "Keirin's method: warm up, find how many executions last long enough, take timed runs, and repeat disturbed ones.
  Independent of the engine and of text for users.

  A *run* is {:ns total time, :executions n, :result-hash-code int or nil, :events disturbances}. The function that takes a
  run of n executions is a parameter, so that the rules can be tested without a clock."
  (:require [keirin.events :as events])
  (:import (derny Blackhole Loop)))

(set! *warn-on-reflection* true)

(def limits
  "For each kind of disturbance, the number of disturbed runs after which disturbed runs are no
  longer repeated."
  {:gc 10 :compilation 10 :class-loading 5})

(def ^:private warm-up-limit-ns 10000000000)
(def ^:private window-ns 250000000)

(defn- batch-ns
  "Executes `body` `n` times. Returns the time in ns."
  ^long [^Loop body ^long n]
  (loop [left n, sum 0]
    (if (pos? left)
      (let [piece (min left Integer/MAX_VALUE)]
        (recur (- left piece) (+ sum (.batch body (int piece)))))
      sum)))

(defn take-run
  "Executes exactly `n` times and records what the JVM did meanwhile. The last execution is
  separate, since the loop keeps no results."
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
  "Returns the number of executions that take `min-ns` plus a tenth, given that `n` of them took
  `ns`. Returns at most a thousand times `n`."
  ^long [^long n ^long ns ^long min-ns]
  (let [wanted (if (pos? ns) (Math/ceil (/ (* 1.1 n min-ns) ns)) ##Inf)]
    (long (max (inc n) (min wanted (* 1000.0 n))))))

(defn calibrate
  "Returns the number of executions per run for which a run lasts at least `min-ns`. `run` is a
  function of n."
  [run min-ns]
  (loop [n 1]
    (let [{:keys [ns]} (run n)]
      (if (>= ns min-ns) n (recur (longer n ns min-ns))))))

(defn- window
  "Executes for a quarter of a second, in batches of about 2 ms. Returns {:n size of the next batch,
  :best least ns per execution in a batch, :events}."
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
  "Executes until two windows have had no compilation, no class loading and no better time, or for
  10 s. Returns the number of windows."
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
  "Takes runs until `wanted` of them are undisturbed. Once a kind of disturbance has reached its limit, disturbed runs count
  too, so that no measurement is lost. A run that ends before `min-ns`, because the code has become faster, is repeated with
  more executions, at most ten times and not if `fixed`.

  Returns {:runs in the order in which they were taken, :executions of the last run, :failures number of disturbed runs by
  kind, :disturbed number of disturbed runs in :runs, :exhausted? true if a limit was reached, :short number of runs that
  ended too early}."
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
