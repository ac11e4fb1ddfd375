(ns keirin.events
  "Reports activity of the JVM other than executing the code: collections, compilation
  and class loading. Computed from two readings of its counters."
  (:import (derny Events)))

(set! *warn-on-reflection* true)

(defn snapshot
  "Returns the current counters, as read by `derny.Events/read`."
  ^longs []
  (Events/read))

(defn between
  "Returns what happened between two snapshots: {:gc {:count, :ms}, :compilation {:count, :ms},
  :class-loading {:count}}. Kinds without events are omitted."
  [^longs before ^longs after]
  (let [grown (fn [i] (- (aget after i) (aget before i)))
        ms    (fn [i] (/ (double (grown i)) 1e6))]
    (cond-> {}
      (pos? (grown 0))                        (assoc :gc {:count (grown 0) :ms (ms 1)})
      (or (pos? (grown 2)) (pos? (grown 3))) (assoc :compilation {:count (max 1 (grown 2)) :ms (ms 3)})
      (pos? (grown 4))                        (assoc :class-loading {:count (grown 4)}))))
