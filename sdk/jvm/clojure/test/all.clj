;; Runs all tests of the Clojure layer and prints a summary line that scripts can parse.
(require 'clojure.test)
(def namespaces '[derny.site-test derny.core-test keirin.core-test keirin.runs-test])
(apply require namespaces)
(let [{:keys [test pass fail error]} (apply clojure.test/run-tests namespaces)
      failed (+ fail error)]
  (println (str pass " passed, " failed " failed"))
  (shutdown-agents)
  (System/exit (if (and (pos? test) (zero? failed)) 0 1)))
