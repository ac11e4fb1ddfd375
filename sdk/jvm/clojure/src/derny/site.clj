(ns derny.site
  "The timed loop, one class for each place in the source. Knows neither names nor lines of the protocol.

  HotSpot keeps what it learns about types per place in the bytecode: in a loop that benchmarks share, each one pays for
  those before it. `body` therefore puts loop and expression together into a class of their own. Locals that the expression
  mentions are read anew from one-element arrays in every iteration, behind a volatile read (the step of the loop), so that nothing can
  be computed once for all; primitive ones stay primitive. Results go to the sink by their static type, unboxed."
  (:import (clojure.lang Compiler$LocalBinding RT)
           (derny Blackhole Loop)
           (java.util.concurrent.atomic AtomicInteger)))

(set! *warn-on-reflection* true)

(defn- primitive [^Compiler$LocalBinding binding]
  (when (instance? Compiler$LocalBinding binding) (.getPrimitiveType binding)))

(defn- class-name
  "The name of the class that a local is known to have, if the compiler can find it by that name."
  [^Compiler$LocalBinding binding]
  (when (and (instance? Compiler$LocalBinding binding) (.hasJavaClass binding))
    (when-let [^Class class (.getJavaClass binding)]
      (try (when (= class (RT/classForName (.getName class))) (.getName class))
           (catch Throwable _ nil)))))

(def ^:private arrays
  "Maker, tag of a one-element array by the primitive type that it holds."
  {Long/TYPE      [`long-array 'longs],     Integer/TYPE [`int-array 'ints],     Double/TYPE [`double-array 'doubles]
   Float/TYPE     [`float-array 'floats],   Short/TYPE   [`short-array 'shorts], Byte/TYPE   [`byte-array 'bytes]
   Character/TYPE [`char-array 'chars],     Boolean/TYPE [`boolean-array 'booleans]})

(defn- input
  "How the local `name` is handed to the loop: {:name, :cell symbol of its array, :make form, :read form}."
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
  "The locals of `env` that `form` mentions."
  [form env]
  (let [mentioned (set (filter symbol? (tree-seq coll? seq form)))]
    (for [[name binding] env :when (mentioned name)] (input name binding))))

(defmacro consume-local
  "Gives a local to the sink by its static type."
  [name]
  (if (primitive (get &env name))
    `(Blackhole/consume ~name)
    `(Blackhole/consume ~(with-meta name {:tag 'Object}))))

(defmacro consume
  "Passes the value of `expr` to the sink, unboxed if it is a primitive."
  [expr]
  `(let [result# ~expr] (consume-local result#)))

(defmacro body
  "A `derny.Loop` of `expr`, of a class of its own.

  With a name and a box, a one-element array that holds an array, `expr` is given an element of that array in each
  iteration, in turn; `once` gives it the last one."
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
  "Returns a `derny.Loop` that calls `f`, with a new class for each call."
  [f]
  ((eval `(fn [~(with-meta 'f {:tag 'clojure.lang.IFn})] (body (~'f)))) f))
