(ns derny.core
  "Defines benchmarks in Clojure for Derny. The engine `derny` measures and compares them, and shows how reliable the results
  are.

      (ns url-bench
        (:require [derny.core :refer [defbench]]))

      (defbench url/join
        {:params [n [10 1000], separator [\"\" \", \"]]
         :setup  [words (mapv #(str \"word\" %) (range n))]}
        (clojure.string/join separator words))

  `derny run` measures the file. At a REPL, `(bench expr)` measures an expression, and `(attach)` all defined benchmarks."
  (:require [clojure.string :as string]
            [derny.registry :as registry]
            [derny.site :as site])
  (:import (derny Attached Blackhole Suite)))

(set! *warn-on-reflection* true)

(defmacro consume
  "Keeps a value that a body computes but does not return, so that the computation is not removed."
  [expr]
  `(site/consume ~expr))

;; The expansion of `defbench`: functions in which parameters and the names bound by set-up are
;; locals.

(def ^:private keys-known
  #{:params :when :skip :setup :teardown :before-batch :after-batch :fresh :timer :times :metrics :operations :unit :items
    :bytes :args :env :tags :isolate :max-iterations})

(defn- check! [name options]
  (let [wrong #(throw (IllegalArgumentException. (str "defbench " name ": " %)))
        {:keys [params setup fresh timer times metrics]} options]
    (doseq [key (keys options)]
      (when-not (keys-known key) (wrong (str "unknown option " key))))
    (doseq [[key value] {:params params :setup setup :fresh fresh}]
      (when-not (or (nil? value) (and (vector? value) (even? (count value))))
        (wrong (str key " must be a vector of alternating names and values"))))
    (when-not (every? simple-symbol? (take-nth 2 params)) (wrong ":params must name symbols"))
    (when (and fresh (not= 2 (count fresh))) (wrong ":fresh must be a vector of one name and one expression"))
    (when (and fresh (or timer (false? times))) (wrong ":fresh cannot be combined with :timer or :times false"))
    (when (and (false? times) (empty? metrics)) (wrong ":times false needs :metrics"))))

(defn- param-binding
  "Returns the binding of a parameter. It is a primitive local if the values are literal numbers."
  [values [name own]]
  (let [value `(get ~values ~(str name))
        all?  #(and (vector? own) (seq own) (every? % own))]
    [name (cond
            (all? integer?) `(long ~value)
            (all? float?)   `(double ~value)
            :else           value)]))

(defn- of-values
  "Returns a function of a case's values that binds the parameters as locals around the body."
  [params body]
  (let [values (gensym "values")]
    `(fn [~values]
       (let [~@(mapcat #(param-binding values %) (partition 2 params))]
         ~body))))

(defn- filler
  "Returns a function that makes one input per iteration of the next batch and stores them in
  `box`."
  [box expr before]
  `(fn [iterations#]
     (let [inputs# (object-array iterations#)]
       (dotimes [i# iterations#] (aset inputs# i# ~expr))
       (aset ~(with-meta box {:tag 'objects}) 0 inputs#)
       ~before)))

(defn- opener
  "Returns the body of :open, which runs the set-up and returns the functions of the case."
  [{:keys [setup teardown before-batch after-batch fresh timer times metrics]} expr]
  (let [box (gensym "box")]
    `(let [~@setup ~@(when fresh [box `(object-array 1)])]
       ~(cond-> {}
          timer          (assoc :timed `(fn [~(with-meta timer {:tag 'derny.Timer})] ~expr))
          (false? times) (assoc :untimed `(fn [] ~expr))
          (not (or timer (false? times)))
          (assoc :loop (if fresh `(site/body ~(first fresh) ~box ~expr) `(site/body ~expr)))
          fresh              (assoc :before (filler box (second fresh) before-batch))
          (and before-batch (not fresh)) (assoc :before `(fn [_#] ~before-batch))
          after-batch        (assoc :after `(fn [_#] ~after-batch))
          teardown           (assoc :teardown `(fn [] ~teardown))
          metrics            (assoc :metrics (mapv (fn [[_ {:keys [value]}]] `(fn [] ~value)) metrics))))))

(defn- place [form]
  {:file *file* :line (:line (meta form))})

(defn- register-form [form name {:keys [params fresh timer times metrics max-iterations] :as options} expr]
  (let [over   (fn [key] (when (contains? options key) (of-values params (get options key))))
        limit  (or max-iterations (when fresh 1024))
        fixed  (select-keys options [:unit :args :env :tags :isolate])
        fields (into {} (for [key [:when :skip :operations :items :bytes] :let [f (over key)] :when f] [key f]))]
    `(registry/register!
      (merge ~(place form) ~fixed ~fields
             {:name    ~name
              :params  ~(vec (for [[param own] (partition 2 params)] [(str param) own]))
              :open    ~(of-values params (opener options expr))
              :before  ~(boolean (or fresh (:before-batch options)))
              :after   ~(contains? options :after-batch)
              :timer   ~(boolean timer)
              :untimed ~(false? times)
              :metrics ~(vec (for [[metric description] metrics] [(clojure.core/name metric) (dissoc description :value)]))
              :max-iterations ~limit}))))

(defmacro defbench
  "Defines a benchmark that measures the time of `body`, which is one or more expressions. `name` is a string, or a symbol
  that may contain a path. Parameters and the names bound by :setup are locals in the options and in the body:

  :params [n [10 1000] …]   parameters and their values: numbers, strings, booleans or keywords. Each combination is a case
  :when expr                true for the combinations to keep
  :skip expr                the reason to skip the case, or nil
  :setup [x expr …]         bindings, evaluated once per case; not timed. :teardown expr undoes them
  :before-batch expr, :after-batch expr    evaluated around each batch of iterations; not timed
  :fresh [x expr]           a new input for each iteration, made before the batch; not timed
  :operations, :items, :bytes    amounts per iteration, as expressions of the parameters. :unit names an operation
  :args [\"-Xmx1g\"], :env {\"K\" \"V\"}    flags and environment variables of the JVM that runs this benchmark
  :tags [:slow], :isolate true, :max-iterations n
  :metrics {name {:unit \"B\", :kind :level, :better :less, :exact true, :value expr}}    your own metrics, read before
                            and after each turn; :kind is :level (the default), :total, :peak or :rate
  :timer t                  the body measures its own time: (.start t), (.iterations t) operations, (.stop t)
  :times false              no times are measured, only metrics"
  {:arglists '([name expr] [name options & body])}
  [name & more]
  (let [options? (and (map? (first more)) (next more))
        options  (if options? (first more) {})
        body     (if options? (rest more) more)
        text     (str name)]
    (check! text options)
    (register-form &form text options (if (next body) `(do ~@body) (first body)))))

;; Functions for use at a REPL.

(def ^:private engine-flags
  "Options that the engine has as flags. All others are settings."
  #{:budget :exclude :note :profile :quick :save :suite :total})

(defn- flags
  "Converts options to flags of `derny dev attach`, such as {:quick true, :budget \"2s\", :param {:n
  [10 20]}}."
  [{:keys [param] :as options}]
  (concat
   (mapcat (fn [[key value]]
             (let [flag (str "--" (name key))]
               (cond
                 (contains? #{nil false} value) nil
                 (not (engine-flags key))    ["--set" (str (name key) "=" value)]
                 (true? value)               [flag]
                 :else                       [flag (str value)])))
           (dissoc options :param))
   (for [[key values] param, value (if (coll? values) values [values])]
     (str "--param=" (name key) "=" (if (keyword? value) (name value) value)))))

(defn attach-suite
  "Measures a suite with the engine, in this thread, and prints the report."
  [^Suite suite options]
  (println (string/trim-newline (.report (Attached/run suite (flags options))))))

(defn attach
  "Measures the benchmarks that `defbench` has defined in this process and prints the report.
  Options are flags of `derny dev attach`: (attach :quick true :budget \"2s\" :param {:n [10 20]})."
  [& {:as options}]
  (attach-suite (registry/suite) options))

(defn bench-now
  "Implements `bench`."
  [benchmark options]
  (if registry/*serving*
    (registry/register! benchmark)
    (attach-suite (registry/suite [benchmark]) options)))

(defmacro bench
  "Measures an expression, which may use locals, and prints the report. Options are flags of `derny dev
  attach`. In a file that the engine has started, defines a benchmark instead, named after the expression."
  [expr & {:as options}]
  `(bench-now (merge ~(place &form)
                     {:name ~(let [text (pr-str expr)] (subs text 0 (min 100 (count text))))
                      :open (let [body# (site/body ~expr)] (fn [_#] {:loop body#}))})
              ~options))
