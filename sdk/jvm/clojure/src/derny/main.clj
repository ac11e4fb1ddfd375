(ns derny.main
  "The program that the engine starts for a benchmark file: java -cp … clojure.main -m derny.main
  FILE."
  (:require [derny.registry :as registry])
  (:import (clojure.lang Compiler$CompilerException)
           (derny Suite)))

(set! *warn-on-reflection* true)

(defn- load-one [file]
  (try
    (load-file file)
    (catch Compiler$CompilerException error
      ;; The exception's message contains the position in the file. Its innermost cause contains the
      ;; reason.
      (let [why (last (take-while some? (iterate ex-cause error)))]
        (throw (IllegalArgumentException. (str (ex-message error) " " (ex-message why)) why))))))

(defn- loaded
  "Returns a suite of the benchmarks in the files."
  ^Suite [files]
  (binding [registry/*serving* true]
    (run! load-one files))
  (registry/suite))

(defn -main
  "Serves the engine, or starts one if a user started this program. Does not return."
  [& files]
  (Suite/main ^Callable (fn [] (loaded files))))
