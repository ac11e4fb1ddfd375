(ns keirin.core
  "Keirin's functions, measured by Derny: every public var of Keirin 1.1.2, its options, printed forms and result map. A
  program written for Keirin runs unmodified if this namespace precedes Keirin's own on the class path.

      (require '[keirin.core :as k])
      (k/bench (Thread/sleep 100))
      (k/quick-bench (vec data) :reporting :underlying-results)

  Each call measures with the engine `derny` in attached mode, which stores the result. It also takes the timed runs from
  which Keirin's result map is made. If the engine is not installed, only the timed runs are taken."
  (:refer-clojure :exclude [abs])
  (:require [derny.site :as site]
            [keirin.attached :as attached]
            [keirin.result :as result]
            [keirin.runs :as runs]
            [keirin.text :as text])
  (:import (java.lang.management ManagementFactory)))

(set! *warn-on-reflection* true)

;; Statistical functions. Keirin's own tests refer to the private ones by these names.

(defn- sq [x] (* x x))

(defn abs
  "Returns the absolute value as a double."
  [x]
  (Math/abs (double x)))

(defn- mean [xs] (/ (double (reduce + xs)) (count xs)))

(defn- sample-variance [xs]
  (if (next xs)
    (let [centre (mean xs)]
      (/ (double (reduce + (map #(sq (- % centre)) xs))) (dec (count xs))))
    0.0))

(defn- sample-standard-deviation [xs] (Math/sqrt (sample-variance xs)))

(defn- median [xs]
  (let [sorted (vec (sort xs))
        half   (quot (count sorted) 2)]
    (double (if (odd? (count sorted))
              (sorted half)
              (/ (+ (sorted (dec half)) (sorted half)) 2)))))

(defn- MAD
  "Returns the median absolute deviation from the median, unscaled."
  [xs]
  (let [centre (median xs)]
    (median (map #(abs (- % centre)) xs))))

(defn- parse-gc-file-name
  "Returns the file of a JVM flag -Xlog:gc:FILE. It is not used: collections are counted without
  it."
  [jvm-arg]
  (second (re-matches #"-Xlog:gc:(.+)" jvm-arg)))

;; Functions that measure memory.

(defn heap-used
  "Returns the number of bytes in use on the heap."
  []
  (let [runtime (Runtime/getRuntime)]
    (- (.totalMemory runtime) (.freeMemory runtime))))

(defn force-gc
  "Collects garbage until no finalizer is pending and the heap does not shrink any more, at most
  `max-attempts` times."
  ([] (force-gc 100))
  ([max-attempts]
   (let [memory (ManagementFactory/getMemoryMXBean)]
     (loop [left max-attempts, before (heap-used)]
       (System/runFinalization)
       (System/gc)
       (let [after (heap-used)]
         (when (and (> left 1)
                    (or (pos? (.getObjectPendingFinalizationCount memory)) (< after before)))
           (recur (dec left) after)))))))

;; A loop that all callers share, for programs that call it directly. `bench` generates a separate
;; loop for each place in the source.

(defprotocol TimedRunResultAccessor
  "Stores the results of `execute-many`."
  (set-result! [this value])
  (get-hash-code [this]))

(deftype TimedRunResultType [^:unsynchronized-mutable value]
  TimedRunResultAccessor
  (set-result! [_ new-value] (set! value new-value))
  (get-hash-code [_] (result/code (result/hasher) value)))

(def timed-run-result (->TimedRunResultType nil))

(defn execute-many
  "Calls `f` `n` times and returns {:time-taken ms per execution, :result-hash-code of the last
  result}."
  [f n]
  (let [sink  (->TimedRunResultType nil)
        start (System/nanoTime)]
    (dotimes [_ n] (set-result! sink (f)))
    (let [ns (- (System/nanoTime) start)]
      {:time-taken (/ ns 1e6 n) :result-hash-code (get-hash-code sink)})))

;; Benchmarks.

(def ^:private defaults
  {:num-timed-runs 30 :min-execution-time 200 :reporting :display-humane})

(defn- settings
  "Returns the options with defaults; :timed-runs is an alias of :num-timed-runs."
  [options usual]
  (let [{:keys [timed-runs] :as given} (apply hash-map options)]
    (merge defaults usual (when timed-runs {:num-timed-runs timed-runs}) given)))

(defn- run-taker
  "Returns a function that takes a run of n executions. If `fresh-heap` is true, it collects garbage first."
  [body {:keys [verbose]} fresh-heap hash-code]
  (fn [n]
    (when fresh-heap (force-gc))
    (let [run (runs/take-run body n hash-code)]
      (when verbose (println (text/run-line run)))
      run)))

(defn- overhead
  "Returns the overhead of the loop in ms per execution: the median for an empty expression with
  its own loop class and as many executions per run."
  [executions {:keys [num-timed-runs verbose] :as options}]
  (when verbose (println "Timing an empty loop"))
  (let [body (eval `(let [value# (Object.)] (site/body value#)))]
    (runs/warm-up body)
    (let [taken (runs/collect (run-taker body options false (constantly nil)) executions
                              {:wanted num-timed-runs :min-ns 0})]
      (median (map #(/ (:ns %) 1e6 executions) (:runs taken))))))

(defn- final-gc-ms [{:keys [no-force-gc]}]
  (let [start (System/nanoTime)]
    (when-not no-force-gc (force-gc))
    (/ (- (System/nanoTime) start) 1e6)))

(defn- refuse!
  "Throws in the cases in which Keirin threw, for :strict."
  [{:keys [failures exhausted? shortest-ns]} {:keys [num-timed-runs min-execution-time]}]
  (let [{:keys [gc compilation class-loading]} failures]
    (when exhausted?
      (throw (Exception. (str "Unable to complete " num-timed-runs " timed runs. GC failures: " gc ". Compilation failures: "
                              compilation ". Class loading failures: " class-loading "."))))
    (when (< shortest-ns (* 0.75e6 min-execution-time))
      (throw (Exception. (str "Did not run payload function for long enough: " (text/humane (/ shortest-ns 1e6))
                              " of " min-execution-time " ms."))))))

(defn- datum [{:keys [ns executions result-hash-code events]}]
  (cond-> {:time-taken (/ ns 1e6 executions) :result-hash-code result-hash-code}
    (seq events) (assoc :events (set (keys events)))))

(defn- result-map [{:keys [runs executions failures]} {:keys [final-gc-time timing-overhead notes]}]
  (let [data   (mapv datum runs)
        times  (map :time-taken data)
        result (array-map :num-executions executions
                          :timed-runs (count runs)
                          :gc-failures (:gc failures)
                          :compilation-failures (:compilation failures)
                          :class-loading-failures (:class-loading failures)
                          :mean (mean times)
                          :median (median times)
                          :std (sample-standard-deviation times)
                          :MAD (MAD times)
                          :final-gc-time final-gc-time
                          :data data)]
    (cond-> result
      timing-overhead (assoc :timing-overhead timing-overhead)
      (seq notes)     (assoc :notes notes))))

(defn- timed-runs
  "Takes the runs of Keirin's own method, from which its result map is made."
  [body {:keys [num-timed-runs min-execution-time no-force-gc strict verbose] :as options} hash-code]
  (let [min-ns (* 1e6 min-execution-time)
        n      (runs/calibrate (run-taker body (dissoc options :verbose) false hash-code) min-ns)]
    (when verbose (println "Executions per run:" n))
    (let [taken (runs/collect (run-taker body options (not no-force-gc) hash-code) n
                              {:wanted num-timed-runs :min-ns min-ns :fixed strict})
          taken (assoc taken :shortest-ns (reduce min (map :ns (:runs taken))))]
      (when strict (refuse! taken options))
      taken)))

(defn- measure
  "Measures `body`. `what` describes it to the engine: {:name, :file, :line}."
  [body what {:keys [num-timed-runs min-execution-time calc-timing-overhead verbose] :as options}]
  (let [by-engine (attached/measure body what options)
        hasher    (result/hasher)]
    (when-not by-engine
      (let [windows (runs/warm-up body)]
        (when verbose (println "Warmed up for" windows "windows of 250 ms"))))
    (let [taken    (timed-runs body options #(result/code hasher %))
          final-gc (final-gc-ms options)
          short?   (< (:shortest-ns taken) (* 1e6 min-execution-time))
          notes    (text/notes {:failures (:failures taken) :disturbed (:disturbed taken) :wanted num-timed-runs
                                :too-short (when short? (/ (:shortest-ns taken) 1e6))
                                :unhashed (result/gave-up? hasher)})]
      (run! text/say notes)
      (result-map taken {:final-gc-time final-gc :notes notes
                         :timing-overhead (when calc-timing-overhead (overhead (:executions taken) options))}))))

(defn bench-body
  "Implements `bench` and `quick-bench`. `usual` contains the defaults of the macro that was
  called."
  [body what options usual]
  (let [{:keys [reporting verbose] :as options} (settings options usual)
        result                                  (measure body what options)]
    (when verbose (text/data result))
    (if (= reporting :display-humane)
      (text/display result)
      result)))

(defn- place [form expr]
  {:name (pr-str expr) :file *file* :line (:line (meta form))})

(defmacro bench
  "Measures `payload`. Options, as alternating keys and values:

  :num-timed-runs        number of timed runs: 30 by default, or 7 for quick-bench (alias :timed-runs)
  :min-execution-time    minimum duration of each run in ms: 200 by default
  :reporting             :display-humane prints the result and returns nil; :underlying-results returns the result map
  :calc-timing-overhead  true to estimate the overhead of the timing loop too
  :verbose               true to print each run with its disturbances, and all data
  :no-force-gc           true not to collect garbage before each run
  :strict                true to throw, as Keirin did, if there are not enough undisturbed runs"
  [payload & options]
  `(bench-body (site/body ~payload) ~(place &form payload) [~@options] {}))

(defmacro quick-bench
  "Like `bench`, with 7 timed runs."
  [payload & options]
  `(bench-body (site/body ~payload) ~(place &form payload) [~@options] {:num-timed-runs 7}))

(defn bench*
  "Like `bench`, but calls a function."
  [f & options]
  (bench-body (site/of-function f) {:name (str (class f))} options {}))

(defn quick-bench*
  "Like `bench*`, with 7 timed runs."
  [f & options]
  (bench-body (site/of-function f) {:name (str (class f))} options {:num-timed-runs 7}))
