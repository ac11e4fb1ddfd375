(ns hello-clojure-bench
  (:require [clojure.string :as string]
            [derny.core :refer [defbench]]))

(def words (mapv #(str "word" %) (range 100)))

(defbench join (string/join " " words))

(defbench concatenate (reduce #(str %1 " " %2) words))
