(ns derny.main
  "The program that the engine starts for a file of benchmarks: java -cp … clojure.main -m derny.main FILE."
  (:require [derny.registry :as registry])
  (:import (clojure.lang Compiler$CompilerException)
           (derny Suite)))

(set! *warn-on-reflection* true)

(defn- load-one [file]
  (try
    (load-file file)
    (catch Compiler$CompilerException error
      ;; The message of the exception has the place; its cause has the reason.
      (let [why (last (take-while some? (iterate ex-cause error)))]
        (throw (IllegalArgumentException. (str (ex-message error) " " (ex-message why)) why))))))

(defn- loaded
  "The benchmarks of files."
  ^Suite [files]
  (binding [registry/*serving* true]
    (run! load-one files))
  (registry/suite))

(defn -main
  "Loads the files and talks to the engine, or starts it. Does not return."
  [& files]
  (Suite/main ^Callable (fn [] (loaded files))))
