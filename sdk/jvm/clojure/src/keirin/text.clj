(ns keirin.text
  "Text for users, in the forms that Keirin prints. Independent of the measurement and of the
  engine."
  (:require [clojure.pprint :refer [pprint]]
            [clojure.string :as string]))

(defn humane
  "Formats a time in ms with a suitable unit and two decimals."
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
    "no percentage: the measured time is 0"
    (String/format java.util.Locale/ROOT "%.2f%%" (object-array [(* 100.0 (/ part whole))]))))

(defn display
  "Prints a result exactly as Keirin did, including its labels and double spaces."
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
  "Returns a line about one run and its disturbances."
  [{:keys [ns executions events]}]
  (let [told (keep #(event % events) kinds)]
    (str "Run: " executions " executions of " (humane (/ ns 1e6 executions))
         (if (seq told) (str "; " (string/join ", " told)) "; clean"))))

(defn notes
  "Returns remarks on problems of a result, one sentence each."
  [{:keys [failures disturbed wanted too-short unhashed]}]
  (let [{:keys [gc compilation class-loading]} failures]
    (cond-> []
      (pos? disturbed)
      (conj (str disturbed " of " wanted " timed runs were disturbed (GC " gc ", compilation "
                 compilation ", class loading " class-loading "); they are included because there were not enough undisturbed runs"))
      too-short
      (conj (str "the code became faster during the measurement: a run took " (humane too-short)
                 ", less than :min-execution-time"))
      unhashed
      (conj ":result-hash-code is nil: the result has no hash code, or computing it takes more than a second"))))

(defn say
  "Prints a remark for the user to standard error."
  [text]
  (binding [*out* *err*] (println "keirin:" text)))

(defn data
  "Prints all data, for :verbose."
  [result]
  (pprint result))
