(ns derny.training
  "Runs a short session without an engine to fill the class archive that makes later processes
  start faster. run.sh starts it with -XX:ArchiveClassesAtExit."
  (:require [derny.core :refer [defbench]]
            [derny.main]
            [derny.registry :as registry])
  (:import (derny Training)))

(defbench trained {:params [n [1]]} (inc n))

(defn -main
  "Runs the session. It reads and compiles code that is typical of a benchmark file."
  []
  (load-string "(require '[derny.core :refer [defbench]])
                (defbench built {:setup [text (apply str (range 10))]} (clojure.string/upper-case text))")
  (Training/converse (registry/suite))
  (shutdown-agents))
