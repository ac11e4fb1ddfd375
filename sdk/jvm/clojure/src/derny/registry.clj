(ns derny.registry
  "The benchmarks of this process, and their conversion for the Java core. Independent of macros and of the conversation.

  A benchmark is a map with these keys:

  :name, :group, :file, :line, :args, :env, :tags, :unit, :isolate, :max-iterations    constants
  :params      pairs of a name and its values
  :metrics     pairs [name {:unit, :kind, :better, :exact}]
  :when, :skip, :operations, :items, :bytes    functions of a case's values, which are a map by name
  :open        a function of a case's values that runs the set-up and returns a map:
    :loop, or :timed a function of a `derny.Timer`, or :untimed a function without arguments
    :before, :after    functions of the number of iterations, called around each batch
    :teardown          a function without arguments
    :metrics           functions without arguments that return the values of the metrics, in order"
  (:import (derny Better Body$Action Body$BatchHook Body$Maker Body$Reading Body$SelfTimed Body$VoidOf Definition Kind Params Suite)
           (java.util.function Function Predicate ToDoubleFunction ToLongFunction)))

(set! *warn-on-reflection* true)

(defonce ^:private benchmarks (atom {:names [] :by-name {}}))

(def ^:dynamic *serving*
  "True while `derny.main` loads benchmark files."
  false)

(defn- known-as [{:keys [file line]}] (str file ":" line))

(defn register!
  "Adds a benchmark. In a REPL, it replaces an earlier one of the same name. Throws if a file
  defines a name twice."
  [{:keys [name] :as benchmark}]
  (let [earlier (get-in @benchmarks [:by-name name])]
    (when (and *serving* earlier)
      (throw (IllegalArgumentException.
              (str "the benchmark \"" name "\" is defined twice: " (known-as earlier) " and " (known-as benchmark)))))
    (swap! benchmarks (fn [all]
                        (cond-> (assoc-in all [:by-name name] benchmark)
                          (not earlier) (update :names conj name))))
    name))

(defn forget-all!
  "Removes all benchmarks."
  []
  (reset! benchmarks {:names [] :by-name {}})
  nil)

(defn- case-values
  "Returns the values of a case by name. Text is converted to keywords if the benchmark's values
  are keywords."
  [{:keys [params]} ^Params given]
  (into {} (for [[name [own]] params
                 :let [value (.get given name)]]
             [name (if (keyword? own) (keyword value) value)])))

(defn- axis-value [value]
  (cond
    (keyword? value) (subs (str value) 1)
    (symbol? value)  (str value)
    :else            value))

(defn- truthy [f] (fn [values] (boolean (f values))))

(defn- describe!
  "Sets the fields that describe a benchmark to the engine before it is opened."
  [^Definition definition {:keys [params when skip operations items bytes unit max-iterations args env tags isolate] :as benchmark}]
  (let [of (fn [f] #(f (case-values benchmark %)))]
    (doseq [[name own] params] (.param definition name (object-array (map axis-value own))))
    (clojure.core/when when
      (let [keep? (truthy (of when))] (.filter definition (reify Predicate (test [_ given] (keep? given))))))
    (clojure.core/when skip
      (let [reason (of skip)]
        (.skip definition (reify Function (apply [_ given] (some-> (reason given) str))))))
    (clojure.core/when operations
      (let [count (of operations)]
        (.operations definition (reify ToDoubleFunction (applyAsDouble [_ given] (double (count given)))))))
    (clojure.core/when items
      (let [count (of items)] (.items definition (reify ToLongFunction (applyAsLong [_ given] (long (count given)))))))
    (clojure.core/when bytes
      (let [count (of bytes)] (.bytes definition (reify ToLongFunction (applyAsLong [_ given] (long (count given)))))))
    (clojure.core/when unit (.unit definition unit))
    (clojure.core/when max-iterations (.maxIterations definition max-iterations))
    (clojure.core/when (seq args) (.jvmArgs definition (into-array String args)))
    (clojure.core/when (seq env) (.env definition (into-array String (for [[k v] env] (str (name k) "=" v)))))
    (clojure.core/when (seq tags) (.tags definition (into-array String (map name tags))))
    (clojure.core/when isolate (.isolate definition))))

(def ^:private kinds {:level Kind/LEVEL :total Kind/TOTAL :peak Kind/PEAK :rate Kind/RATE})

(def ^:private directions {:less Better/LESS :more Better/MORE :none Better/NONE})

(defn- hook ^Body$BatchHook [key]
  (reify Body$BatchHook (run [_ state iterations] (clojure.core/when-let [f (key state)] (f iterations)))))

(defn- add-metrics! [^Definition definition metrics]
  (doseq [[index [name {:keys [unit kind better exact] :or {unit "count" kind :level better :none}}]] (map-indexed vector metrics)]
    (.metric definition name unit (kinds kind) (directions better) (boolean exact)
             (reify Body$Reading (read [_ state] (double ((nth (:metrics state) index))))))))

(defn- finish! [^Definition definition {:keys [timer untimed]}]
  (cond
    timer   (.runSelfTimed definition (reify Body$SelfTimed (run [_ timer state] ((:timed state) timer))))
    untimed (.runForMetrics definition (reify Body$VoidOf (run [_ state] ((:untimed state)))))
    :else   (.loop definition (reify Body$Maker (make [_ state] (:loop state))))))

(defn- define! [^Suite suite {:keys [name file line open before after metrics] :as benchmark}]
  (let [definition (.define suite name)]
    (.place definition file (int (or line 0)))
    (describe! definition benchmark)
    (.setup definition (reify Body$Maker (make [_ given] (open (case-values benchmark given)))))
    (clojure.core/when before (.beforeBatch definition (hook :before)))
    (clojure.core/when after (.afterBatch definition (hook :after)))
    (.teardown definition (reify Body$Action (run [_ state] (clojure.core/when-let [f (:teardown state)] (f)))))
    (add-metrics! definition metrics)
    (finish! definition benchmark)))

(defn suite
  "Returns the benchmarks, or only `some` of them, as a suite of the Java core."
  (^Suite [] (let [{:keys [names by-name]} @benchmarks] (suite (map by-name names))))
  (^Suite [some]
   (let [suite (.language (Suite.) "clojure")]
     (run! #(define! suite %) some)
     suite)))
