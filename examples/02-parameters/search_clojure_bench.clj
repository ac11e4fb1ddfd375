(ns search-clojure-bench
  (:require [derny.core :refer [defbench]]))

(defn items [n] (mapv #(str "item" %) (range n)))

(defn wanted [n where]
  (case where :first "item0" :last (str "item" (dec n)) :absent "nothing"))

;; All combinations of the values: 2 × 3 = 6 cases. n is the outer parameter, because it is the
;; first. Parameters and the bindings of the set-up are locals of the body. The set-up runs once per
;; case, untimed.
(defbench search/some
  {:params [n [10 1000], where [:first :last :absent]]
   :setup  [all (items n), text (wanted n where)]}
  (some #(= text %) all))

(defbench search/set
  {:params [n [10 1000], where [:first :last :absent]]
   :setup  [all (set (items n)), text (wanted n where)]}
  (contains? all text))

;; Excludes one combination: an absent item in a short vector.
(defbench search/index-of
  {:params [n [10 1000], where [:first :last :absent]]
   :when   (not (and (= n 10) (= where :absent)))
   :setup  [all (items n), text (wanted n where)]}
  (.indexOf ^java.util.List all text))
