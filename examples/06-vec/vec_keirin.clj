;; Measures the same with Keirin's functions, which return maps for programs:
;;
;;     java -cp … clojure.main vec_keirin.clj
(require '[keirin.core :as k])

(println "elements  median")
(doseq [n [1000 2000 5000 10000]
        :let [data             (apply list (range n))
              {:keys [median]} (k/quick-bench (vec data) :reporting :underlying-results)]]
  (printf "%8d  %.4f ms, %.1f ns per element%n" n median (/ (* 1e6 median) n))
  (flush))
