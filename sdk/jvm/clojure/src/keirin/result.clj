(ns keirin.result
  "The hash code of a result, which shows that each run did the same work. A result may be endless, or refuse to be hashed:
  it then has none, and the measurement goes on."
  (:import (java.util Collection Map)))

(set! *warn-on-reflection* true)

(def ^:private most-elements 1000000)
(def ^:private most-ns 1000000000)

(defn- walkable? [value]
  (or (instance? Collection value) (instance? Map value)))

(defn- bounded?
  "Whether the collection, with those in it, has few enough elements, looked at in a short enough time. An endless hash could
  not be stopped once it has begun."
  [value]
  (let [deadline (+ (System/nanoTime) most-ns)]
    (loop [waiting (list (seq value)), seen 0]
      (if-let [elements (first waiting)]
        (let [element (first elements)
              waiting (conj (rest waiting) (next elements))]
          (cond
            (= seen most-elements)                                                   false
            (and (zero? (rem seen 100)) (> (System/nanoTime) deadline))              false
            (walkable? element)                                                      (recur (conj waiting (seq element)) (inc seen))
            :else                                                                    (recur waiting (inc seen))))
        (or (empty? waiting) (recur (rest waiting) seen))))))

(defn hash-code
  "The hash code of `value`, nil for nil, `::none` if it has none or takes more than a second."
  [^Object value]
  (try
    (cond
      (nil? value)                                    nil
      (and (walkable? value) (not (bounded? value)))  ::none
      :else                                           (.hashCode value))
    (catch Throwable _ ::none)))

(defprotocol Hasher
  (code [this value] "The hash code of a result; nil where it has none, and from then on.")
  (gave-up? [this] "Whether a result had none."))

(defn hasher
  "A `Hasher` that gives up for good with the first result that has no hash code: looking for it takes time."
  []
  (let [hopeless (volatile! false)]
    (reify Hasher
      (code [_ value]
        (when-not @hopeless
          (let [found (hash-code value)]
            (when (= found ::none) (vreset! hopeless true))
            (when-not (= found ::none) found))))
      (gave-up? [_] @hopeless))))
