(ns keirin.text
  "What a user reads, in Keirin's forms. Knows neither how it was measured nor the engine."
  (:require [clojure.pprint :refer [pprint]]
            [clojure.string :as string]))

(defn humane
  "A time in ms, with a unit that suits it and two decimals."
  [ms]
  (let [seconds (/ (double ms) 1000)
        told    (fn [scale unit] (String/format java.util.Locale/ROOT "%.2f %s" (object-array [(* seconds scale) unit])))]
    (cond
      (< seconds 1e-6) (told 1e9 "ns")
      (< seconds 1e-3) (told 1e6 "µs")
      (< seconds 1)    (told 1e3 "ms")
      :else            (told 1 "seconds"))))

(defn- per-cent [part whole]
  (if (zero? whole)
    "no percentage: nothing was measured"
    (String/format java.util.Locale/ROOT "%.2f%%" (object-array [(* 100.0 (/ part whole))]))))

(defn display
  "Prints a result as Keirin did: the labels and the two spaces after the second and third one are its own."
  [{:keys [median MAD timing-overhead]}]
  (println "Time taken (median)" (humane median))
  (println "Mean absolute deviation (MADS) " (humane MAD))
  (when timing-overhead
    (println "Timing loop overhead " (str (per-cent timing-overhead median) " (" (humane timing-overhead) ")"))))

(def ^:private kinds [[:gc "GC"] [:compilation "compilation"] [:class-loading "classes"]])

(defn- event [[kind label] events]
  (when-let [{:keys [count ms]} (events kind)]
    (str label " " count (when ms (str " (" (humane ms) ")")))))

(defn run-line
  "One run and what fell into it."
  [{:keys [ns executions events]}]
  (let [told (keep #(event % events) kinds)]
    (str "Run: " executions " executions of " (humane (/ ns 1e6 executions))
         (if (seq told) (str "; " (string/join ", " told)) "; clean"))))

(defn notes
  "Remarks on a result that is not as it should be, one sentence each."
  [{:keys [failures disturbed wanted too-short unhashed]}]
  (let [{:keys [gc compilation class-loading]} failures]
    (cond-> []
      (pos? disturbed)
      (conj (str disturbed " of " wanted " timed runs were disturbed and are in the result all the same (GC " gc ", compilation "
                 compilation ", class loading " class-loading "): enough clean ones could not be had"))
      too-short
      (conj (str "the code became faster while it was measured: a run took " (humane too-short)
                 " only, less than :min-execution-time"))
      unhashed
      (conj "the result has no hash code, or none that is found in a second: :result-hash-code is nil"))))

(defn say
  "Prints a remark for the user apart from the output of the program."
  [text]
  (binding [*out* *err*] (println "keirin:" text)))

(defn data
  "All data, for :verbose."
  [result]
  (pprint result))
