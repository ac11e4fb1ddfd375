(ns derny.training
  "A short conversation with nobody, whose classes go into the archive that makes later processes start sooner: run.sh starts
  this with -XX:ArchiveClassesAtExit."
  (:require [derny.core :refer [defbench]]
            [derny.main]
            [derny.registry :as registry])
  (:import (derny Training)))

(defbench trained {:params [n [1]]} (inc n))

(defn -main
  "Runs the session. The code that it reads and compiles represents a file of benchmarks."
  []
  (load-string "(require '[derny.core :refer [defbench]])
                (defbench built {:setup [text (apply str (range 10))]} (clojure.string/upper-case text))")
  (Training/converse (registry/suite))
  (shutdown-agents))
