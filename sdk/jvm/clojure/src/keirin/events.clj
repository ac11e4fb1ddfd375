(ns keirin.events
  "What fell into a run: the difference of two readings of the JVM's counters, kind by kind."
  (:import (derny Events)))

(set! *warn-on-reflection* true)

(defn snapshot
  "The counters now, as `derny.Events/read` gives them."
  ^longs []
  (Events/read))

(defn between
  "What happened between two snapshots; empty where nothing did:
  {:gc {:count, :ms}, :compilation {:count, :ms}, :class-loading {:count}}."
  [^longs before ^longs after]
  (let [grown (fn [i] (- (aget after i) (aget before i)))
        ms    (fn [i] (/ (double (grown i)) 1e6))]
    (cond-> {}
      (pos? (grown 0))                        (assoc :gc {:count (grown 0) :ms (ms 1)})
      (or (pos? (grown 2)) (pos? (grown 3))) (assoc :compilation {:count (max 1 (grown 2)) :ms (ms 3)})
      (pos? (grown 4))                        (assoc :class-loading {:count (grown 4)}))))
