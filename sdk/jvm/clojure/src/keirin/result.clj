(ns keirin.result
  "The hash code of a result, which shows that each run did the same work. If a result is endless
  or throws when hashed, it has no hash code, and the measurement continues."
  (:import (java.util Collection Map)))

(set! *warn-on-reflection* true)

(def ^:private most-elements 1000000)
(def ^:private most-ns 1000000000)

(defn- walkable? [value]
  (or (instance? Collection value) (instance? Map value)))

(defn- bounded?
  "Returns true if a collection and its nested ones have few elements, and counting them takes
  little time. This is checked first, because an endless hash computation cannot be interrupted."
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
  "Returns the hash code of `value`, nil for nil, or `::none` if it has none or computing it takes
  more than a second."
  [^Object value]
  (try
    (cond
      (nil? value)                                    nil
      (and (walkable? value) (not (bounded? value)))  ::none
      :else                                           (.hashCode value))
    (catch Throwable _ ::none)))

(defprotocol Hasher
  (code [this value] "Returns the hash code of a result, or nil if it has none. After that, always returns nil.")
  (gave-up? [this] "Returns true if a result had no hash code."))

(defn hasher
  "Returns a `Hasher`. It stops trying after the first result without a hash code, because each
  attempt takes time."
  []
  (let [hopeless (volatile! false)]
    (reify Hasher
      (code [_ value]
        (when-not @hopeless
          (let [found (hash-code value)]
            (when (= found ::none) (vreset! hopeless true))
            (when-not (= found ::none) found))))
      (gave-up? [_] @hopeless))))
