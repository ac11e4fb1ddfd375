(ns derny.site
  "The timed loop, with one class for each place in the source. Independent of names and of the protocol.

  HotSpot records types per location in the bytecode. In a loop that benchmarks share, each would be affected by those that
  ran before it. `body` therefore puts the loop and the expression into a separate class.

  Each iteration reads the locals that the expression uses from one-element arrays, after a volatile read (the step of the
  loop), so that no computation can be moved out of the loop. Primitive locals stay primitive. Results are passed to the sink
  by their static type, unboxed."
  (:import (clojure.lang Compiler$LocalBinding RT)
           (derny Blackhole Loop)
           (java.util.concurrent.atomic AtomicInteger)))

(set! *warn-on-reflection* true)

(defn- primitive [^Compiler$LocalBinding binding]
  (when (instance? Compiler$LocalBinding binding) (.getPrimitiveType binding)))

(defn- class-name
  "Returns the name of the local's class, or nil if it is unknown or the compiler cannot resolve it
  by name."
  [^Compiler$LocalBinding binding]
  (when (and (instance? Compiler$LocalBinding binding) (.hasJavaClass binding))
    (when-let [^Class class (.getJavaClass binding)]
      (try (when (= class (RT/classForName (.getName class))) (.getName class))
           (catch Throwable _ nil)))))

(def ^:private arrays
  "Constructor and type hint of a one-element array, by primitive type."
  {Long/TYPE      [`long-array 'longs],     Integer/TYPE [`int-array 'ints],     Double/TYPE [`double-array 'doubles]
   Float/TYPE     [`float-array 'floats],   Short/TYPE   [`short-array 'shorts], Byte/TYPE   [`byte-array 'bytes]
   Character/TYPE [`char-array 'chars],     Boolean/TYPE [`boolean-array 'booleans]})

(defn- input
  "Describes how the local `name` is passed to the loop: {:name, :cell symbol of its array, :make
  form, :read form}."
  [name binding]
  (let [cell       (gensym (str name "-cell"))
        type       (primitive binding)
        [make tag] (get arrays type [`object-array 'objects])
        class      (when-not type (class-name binding))
        value      (gensym "value")]
    {:name (if class (with-meta name {:tag (symbol class)}) (with-meta name nil))
     :cell cell
     :make `(let [~(with-meta value {:tag tag}) (~make 1)] (aset ~value 0 ~name) ~value)
     :read `(aget ~(with-meta cell {:tag tag}) 0)}))

(defn- inputs
  "Returns the locals of `env` that `form` uses."
  [form env]
  (let [mentioned (set (filter symbol? (tree-seq coll? seq form)))]
    (for [[name binding] env :when (mentioned name)] (input name binding))))

(defmacro consume-local
  "Passes a local to the sink by its static type."
  [name]
  (if (primitive (get &env name))
    `(Blackhole/consume ~name)
    `(Blackhole/consume ~(with-meta name {:tag 'Object}))))

(defmacro consume
  "Passes the value of `expr` to the sink, unboxed if it is a primitive."
  [expr]
  `(let [result# ~expr] (consume-local result#)))

(defmacro body
  "Returns a `derny.Loop` over `expr`, with its own class.

  With a name and a box, each iteration binds the name to the next element of an array of inputs,
  which is the only element of the box. `once` binds it to the last input."
  ([expr] `(body nil nil ~expr))
  ([element box expr]
   (let [inputs  (inputs expr (dissoc &env element))
         cells   (vec (mapcat (juxt :cell :make) inputs))
         rebound (vec (mapcat (juxt :name :read) inputs))
         taken   (fn [elements index] (when element [element `(aget ~(with-meta elements {:tag 'objects}) ~index)]))
         array   (gensym "array")
         index   (gensym "index")]
     `(let [~@cells
            step# (AtomicInteger. 1)]
        (reify Loop
          (batch [_# iterations#]
            (let [~array  ~(when element `(aget ~(with-meta box {:tag 'objects}) 0))
                  end#    (long iterations#)
                  start#  (System/nanoTime)]
              (loop [~index 0]
                (when (< ~index end#)
                  (let [~@rebound ~@(taken array index)] (consume ~expr))
                  (recur (unchecked-add ~index (long (.get step#))))))
              (- (System/nanoTime) start#)))
          (once [_#]
            (let [~array ~(when element `(aget ~(with-meta box {:tag 'objects}) 0))
                  ~@rebound
                  ~@(taken array `(dec (alength ~(with-meta array {:tag 'objects}))))]
              ~expr)))))))

(defn of-function
  "Returns a `derny.Loop` that calls `f`. Each call of this function makes a new class."
  [f]
  ((eval `(fn [~(with-meta 'f {:tag 'clojure.lang.IFn})] (body (~'f)))) f))
