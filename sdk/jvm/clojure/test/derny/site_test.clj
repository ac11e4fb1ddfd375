(ns derny.site-test
  (:require [clojure.test :refer [deftest is testing]]
            [derny.site :as site])
  (:import (com.sun.management ThreadMXBean)
           (derny Loop)
           (java.lang.management ManagementFactory)
           (java.util.concurrent.atomic AtomicLong)))

(set! *warn-on-reflection* true)

(defn- bytes-of [^Loop body iterations]
  (let [bean   ^ThreadMXBean (ManagementFactory/getThreadMXBean)
        self   (.getId (Thread/currentThread))
        before (.getThreadAllocatedBytes bean self)]
    (.batch body (int iterations))
    (- (.getThreadAllocatedBytes bean self) before)))

(defn- bytes-each
  "Returns the bytes allocated per iteration, without those of the reading itself."
  [body]
  (run! #(bytes-of body %) [10 10])
  (/ (- (bytes-of body 3000) (bytes-of body 1000)) 2000))

(deftest calls-exactly-as-often-as-asked
  (let [calls (AtomicLong.)
        body  ^Loop (site/body (.incrementAndGet calls))]
    (.batch body 1000)
    (is (= 1000 (.get calls)))
    (is (= 1001 (.once body)))
    (.batch body 0)
    (is (= 1001 (.get calls)))))

(deftest each-place-has-a-class-of-its-own
  (is (= 3 (count (set (map class [(site/body nil) (site/body nil) (site/of-function (constantly nil))])))))
  (is (not= (class (site/of-function inc)) (class (site/of-function inc)))))

(deftest primitives-are-not-boxed
  (let [n (long 1000000), x 2.5, text "abcdef", ^ints numbers (int-array 5)]
    (is (= 0 (bytes-each (site/body (+ n 1)))))
    (is (= 0 (bytes-each (site/body (Math/sqrt x)))))
    (is (= 0 (bytes-each (site/body (.length text)))))
    (is (= 0 (bytes-each (site/body (< n 5)))))
    (is (= 0 (bytes-each (site/body (aget numbers 2)))))))

(deftest allocation-is-told-to-the-byte
  (is (= 120 (bytes-each (site/body (byte-array 100)))) "16 bytes of header, 100, rounded to 8")
  ;; An int[4] has a header of 16 bytes and 16 bytes of elements. A Vec has a header of 12 and six fields
  ;; of 4, rounded up to a multiple of 8.
  (is (= (+ 32 40) (bytes-each (site/body (vector-of :int 1 2 3 4))))))

(deftest expressions-of-every-kind
  (let [n (long 3), list-of-three [1 2 3]]
    (testing "void, throwing, loops, local functions, shadowed locals"
      (is (nil? (.once ^Loop (site/body (Thread/yield)))))
      (is (= 6 (.once ^Loop (site/body (loop [i 0 sum 0] (if (> i n) sum (recur (inc i) (+ sum i))))))))
      (is (= 2 (.once ^Loop (site/body (try (nth list-of-three 9) (catch IndexOutOfBoundsException _ 2))))))
      (is (= [2 3 4] (.once ^Loop (site/body (mapv (fn [n] (inc n)) list-of-three)))))
      (is (thrown-with-msg? IllegalStateException #"mine" (.batch ^Loop (site/body (throw (IllegalStateException. "mine"))) 1))))
    (is (every? nat-int? [(.batch ^Loop (site/body (Thread/yield)) 3) (.batch ^Loop (site/body nil) 3)]))))

(deftest elements-are-taken-in-turn
  (let [seen (atom []), box (object-array [(object-array [:a :b :c])])
        body ^Loop (site/body x box (swap! seen conj x))]
    (.batch body 2)
    (is (= [:a :b] @seen))
    (is (= [:a :b :c] (.once body)))))
