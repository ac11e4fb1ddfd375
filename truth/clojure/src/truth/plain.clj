(ns truth.plain
  "A plain loop around one body: clojure.main -m truth.plain BODY [WARM_MS [MEASURE_MS
  [SLICE_NS]]]. The clocks, the counts of collections and the output are those of Java's plain
  loop."
  (:require [truth.bodies :as bodies])
  (:import (truth Plain Plain$Slice)))

(set! *warn-on-reflection* true)

(defmacro slice
  "Calls the expression n times. Stores its value in a volatile field, so that it must be computed.
  Only the last value is alive."
  [field expression]
  `(reify Plain$Slice
     (take [_# n#]
       (let [start# (System/nanoTime)]
         (loop [i# 0]
           (when (< i# n#)
             (set! (. Plain ~field) ~expression)
             (recur (inc i#))))
         (- (System/nanoTime) start#)))))

(defn choose
  "Returns the loop around a body. The call is part of the loop's text, so it has one target and
   numbers are not boxed."
  [body]
  (case body
    "objects" (slice object (bodies/objects))
    "buffer" (slice object (bodies/buffer))
    "strings" (slice object (bodies/strings))
    "join" (slice object (bodies/join))
    "builder" (slice object (bodies/builder))
    "map" (slice object (bodies/hash-map'))
    "sort" (slice object (bodies/sort'))
    "parse" (slice object (bodies/parse))
    "closures" (slice object (bodies/closures))
    "stream" (slice object (bodies/stream))
    "sum" (slice number (bodies/sum))
    "mix" (slice integer (bodies/mix))
    "search" (slice integer (bodies/search))
    "matrix" (slice object (bodies/matrix))))

(defn -main [body & plan]
  (println (Plain/measure (choose body) (into-array String plan))))
