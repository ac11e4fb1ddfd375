(ns truth.bodies
  "The bodies that Derny and the plain loop call. Loading the namespace creates the inputs."
  (:require [clojure.string :as string])
  (:import (java.util Arrays)))

(set! *warn-on-reflection* true)

(def ^:const size 1000)
(def ^:const rank 16)

(def shuffled (mapv #(rem (* % 7919) size) (range size)))
(def words (mapv #(str "word" %) (range size)))
(def text (string/join "," shuffled))
(def wanted (int-array shuffled))
(def sorted (int-array (range size)))
(def numbers (double-array (map #(/ % 8.0) shuffled)))
(def left (double-array (map #(rem % 7) (range (* rank rank)))))
(def right (double-array (map #(rem % 5) (range (* rank rank)))))
(def product (double-array (* rank rank)))

(defn objects [] (mapv (fn [n] {:id n :next n}) shuffled))

(defn buffer []
  (let [bytes (byte-array 65536)]
    (aset bytes 1000 (byte 1))
    bytes))

(defn strings [] (mapv str shuffled))

(defn join [] (string/join " " words))

(defn builder []
  (let [builder (StringBuilder.)]
    (run! (fn [^String word] (.append builder word)) words)
    (str builder)))

(defn hash-map' [] (reduce (fn [m n] (assoc m n n)) {} shuffled))

(defn sort' [] (sort shuffled))

(defn parse [] (mapv #(Long/parseLong %) (string/split text #",")))

(defn closures []
  (let [functions (mapv (fn [^long n] (fn [^long total] (bit-xor total n))) shuffled)]
    (reduce (fn [total function] (function total)) 0 functions)))

(defn stream [] (->> shuffled (map #(* 3 (long %))) (filter even?) (reduce +)))

(defn sum ^double []
  (let [^doubles numbers numbers]
    (loop [i 0 total 0.0]
      (if (< i (alength numbers)) (recur (inc i) (+ total (aget numbers i))) total))))

(defn mix ^long []
  (loop [i 0 state 88172645463325252]
    (if (= i (long size))
      state
      (let [a (bit-xor state (bit-shift-left state 13))
            b (bit-xor a (unsigned-bit-shift-right a 7))]
        (recur (inc i) (bit-xor b (bit-shift-left b 17)))))))

(defn search ^long []
  (let [^ints wanted wanted ^ints sorted sorted]
    (loop [i 0 total 0]
      (if (< i (alength wanted))
        (recur (inc i) (+ total (Arrays/binarySearch sorted (aget wanted i))))
        total))))

(defn matrix []
  (let [^doubles left left ^doubles right right ^doubles product product rank (long rank)]
    (dotimes [row rank]
      (dotimes [column rank]
        (aset product (+ (* row rank) column)
              (double (loop [k 0 cell 0.0]
                        (if (< k rank)
                          (recur (inc k) (+ cell (* (aget left (+ (* row rank) k)) (aget right (+ (* k rank) column)))))
                          cell))))))
    product))
