//! The bodies that Derny and the plain loop call.

use std::collections::HashMap;
use std::fmt::Write;

/// Number of rows and columns of the matrices.
const RANK: usize = 16;
const SIZE: usize = 1000;

/// Calls a macro with the name of every body.
#[macro_export]
macro_rules! for_each_body {
    ($call:ident) => {
        $call!(
            objects, buffer, strings, join, builder, map, sort, parse, closures, stream, sum, mix, search,
            matrix
        )
    };
}

/// The inputs of the bodies, created once.
pub struct Inputs {
    words: Vec<String>,
    shuffled: Vec<u32>,
    numbers: Vec<f64>,
    sorted: Vec<u32>,
    text: String,
    left: Vec<f64>,
    right: Vec<f64>,
    product: Vec<f64>,
    seed: u64,
}

impl Inputs {
    /// Creates the inputs.
    pub fn new() -> Inputs {
        let shuffled: Vec<u32> = (0..SIZE as u32).map(|i| i * 7919 % SIZE as u32).collect();
        Inputs {
            words: (0..SIZE).map(|i| format!("word{i}")).collect(),
            numbers: shuffled.iter().map(|&n| f64::from(n) / 8.0).collect(),
            sorted: (0..SIZE as u32).collect(),
            text: shuffled.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
            left: (0..RANK * RANK).map(|i| (i % 7) as f64).collect(),
            right: (0..RANK * RANK).map(|i| (i % 5) as f64).collect(),
            product: vec![0.0; RANK * RANK],
            seed: 88_172_645_463_325_252,
            shuffled,
        }
    }
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs::new()
    }
}

/// A small object.
pub struct Node {
    /// Position of the node.
    pub id: u32,
    /// Position of the next node.
    pub next: u32,
}

/// The bodies. They are not inlined, so that both sides run the same machine code.
pub mod bodies {
    use super::*;

    /// Returns nodes, each in separate memory, like objects in the other languages.
    #[allow(clippy::vec_box)]
    #[inline(never)]
    pub fn objects(inputs: &mut Inputs) -> Vec<Box<Node>> {
        inputs.shuffled.iter().map(|&n| Box::new(Node { id: n, next: n + 1 })).collect()
    }

    #[inline(never)]
    pub fn buffer(inputs: &mut Inputs) -> Vec<u8> {
        let mut bytes = vec![0; 64 * 1024];
        bytes[inputs.shuffled[1] as usize] = 1;
        bytes
    }

    #[inline(never)]
    pub fn strings(inputs: &mut Inputs) -> Vec<String> {
        inputs.shuffled.iter().map(u32::to_string).collect()
    }

    #[inline(never)]
    pub fn join(inputs: &mut Inputs) -> String {
        inputs.words.join(" ")
    }

    #[inline(never)]
    pub fn builder(inputs: &mut Inputs) -> String {
        let mut text = String::new();
        for n in &inputs.shuffled {
            write!(text, "{n};").expect("a string takes everything");
        }
        text
    }

    #[inline(never)]
    pub fn map(inputs: &mut Inputs) -> HashMap<u32, usize> {
        let mut map = HashMap::new();
        for (i, &n) in inputs.shuffled.iter().enumerate() {
            map.insert(n, i);
        }
        map
    }

    #[inline(never)]
    pub fn sort(inputs: &mut Inputs) -> Vec<u32> {
        let mut list = inputs.shuffled.clone();
        list.sort();
        list
    }

    #[inline(never)]
    pub fn parse(inputs: &mut Inputs) -> Vec<u32> {
        inputs.text.split(',').map(|word| word.parse().expect("a number")).collect()
    }

    #[inline(never)]
    pub fn closures(inputs: &mut Inputs) -> u32 {
        let add = |n: u32| -> Box<dyn Fn(u32) -> u32> { Box::new(move |total| total ^ n) };
        let functions: Vec<_> = inputs.shuffled.iter().map(|&n| add(n)).collect();
        functions.iter().fold(0, |total, function| function(total))
    }

    #[inline(never)]
    pub fn stream(inputs: &mut Inputs) -> Vec<u32> {
        inputs.shuffled.iter().map(|n| n * 3).filter(|n| n % 2 == 0).collect()
    }

    #[inline(never)]
    pub fn sum(inputs: &mut Inputs) -> f64 {
        inputs.numbers.iter().sum()
    }

    #[inline(never)]
    pub fn mix(inputs: &mut Inputs) -> u64 {
        let mut state = inputs.seed;
        for _ in 0..SIZE {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }
        state
    }

    #[inline(never)]
    pub fn search(inputs: &mut Inputs) -> usize {
        inputs.shuffled.iter().filter_map(|n| inputs.sorted.binary_search(n).ok()).sum()
    }

    #[inline(never)]
    pub fn matrix(inputs: &mut Inputs) -> f64 {
        let Inputs { left, right, product, .. } = inputs;
        for row in 0..RANK {
            for column in 0..RANK {
                product[row * RANK + column] =
                    (0..RANK).map(|k| left[row * RANK + k] * right[k * RANK + column]).sum();
            }
        }
        product[RANK + 1]
    }
}
