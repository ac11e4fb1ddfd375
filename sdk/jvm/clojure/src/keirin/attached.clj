(ns keirin.attached
  "The engine's part of a Keirin benchmark: it measures the same loop in attached mode and stores
  the result. Independent of Keirin's runs and of its result map."
  (:require [clojure.string :as string]
            [keirin.text :as text])
  (:import (derny Attached Body$Maker Loop Suite)
           (java.io IOException)))

(set! *warn-on-reflection* true)

(defn- keeping
  "Returns a loop that reports an exception of its expression to the engine, and stores it in
  `thrown`."
  ^Loop [^Loop body thrown]
  (let [kept (fn [call] (try (call) (catch Throwable error (reset! thrown error) (throw error))))]
    (reify Loop
      (batch [_ iterations] (kept #(.batch body iterations)))
      (once [_] (kept #(.once body))))))

(defn- suite
  ^Suite [body {:keys [name file line]}]
  (let [suite      (.language (Suite.) "clojure")
        definition (.define suite (subs name 0 (min 100 (count name))))]
    (.place definition file (int (or line 0)))
    (.loop definition (reify Body$Maker (make [_ _] body)))
    suite))

(defn- flags [{:keys [num-timed-runs verbose]}]
  (cond-> ["--quiet" "--suite" "keirin"]
    (<= num-timed-runs 7) (conj "--quick")
    verbose               (conj "-v")))

(def ^:private told-missing (atom false))

(defn- without-engine [why]
  (when (compare-and-set! told-missing false true)
    (text/say (str why ". Only Keirin's own method is used: there is no confidence interval, and nothing is stored")))
  false)

(defn measure
  "Measures `body` with the engine, in this thread. Returns true if that succeeded. Rethrows an
  exception of the expression."
  [body what {:keys [verbose] :as options}]
  (let [thrown (atom nil)
        told   (try
                 (Attached/run (suite (keeping body thrown) what) (flags options))
                 (catch IOException why why))]
    (when-let [error @thrown] (throw error))
    (cond
      (instance? IOException told)                (without-engine (str "cannot start the engine `derny`: " (ex-message told)))
      (string/blank? (.result ^Attached told)) (without-engine "the engine ended without a result")
      :else (do (when verbose (println (string/trim-newline (.report ^Attached told))))
                true))))
