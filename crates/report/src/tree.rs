//! Cases as a tree of names: suite › group › benchmark › parameters › variant.

use crate::Style;
use crate::style::visible;
use derny_model::Case;
use std::cmp::Ordering;
use std::collections::HashMap;

/// The characters that draw the tree before a name, in both character sets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Branch {
    unicode: String,
    ascii: String,
}

impl Branch {
    pub(crate) fn text(&self, style: &Style) -> &str {
        if style.ascii { &self.ascii } else { &self.unicode }
    }

    pub(crate) fn below(&self) -> Branch {
        Branch {
            unicode: self.unicode.replace("├─ ", "│  ").replace("└─ ", "   "),
            ascii: self.ascii.replace("|- ", "|  ").replace("`- ", "   "),
        }
    }

    pub(crate) fn is_root(&self) -> bool {
        self.unicode.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Characters that draw the tree before the label.
    pub branch: Branch,
    /// Name without control characters.
    pub label: String,
    /// Index of the path that ends here, if it is a leaf.
    pub leaf: Option<usize>,
}

#[derive(Default)]
struct Node {
    label: String,
    leaf: Option<usize>,
    children: Vec<Node>,
}

/// Returns the order of `paths` in which the lowest rank comes first at every level of the tree. The rank of
/// a name is the lowest rank below it. Names of equal rank keep their order.
pub(crate) fn by_rank(paths: &[Vec<String>], ranks: &[f64]) -> Vec<usize> {
    let mut lowest: HashMap<&[String], (f64, usize)> = HashMap::new();
    for (index, (path, rank)) in paths.iter().zip(ranks).enumerate() {
        for end in 1..=path.len() {
            let known = lowest.entry(&path[..end]).or_insert((*rank, index));
            known.0 = known.0.min(*rank);
        }
    }
    let key = |path: &Vec<String>| (1..=path.len()).map(|end| lowest[&path[..end]]).collect::<Vec<_>>();
    let keys: Vec<Vec<(f64, usize)>> = paths.iter().map(key).collect();
    let compare =
        |one: &(f64, usize), other: &(f64, usize)| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1));
    let mut order: Vec<usize> = (0..paths.len()).collect();
    order.sort_by(|one, other| {
        let levels = keys[*one].iter().zip(&keys[*other]).map(|(one, other)| compare(one, other));
        levels.fold(Ordering::Equal, Ordering::then).then(one.cmp(other))
    });
    order
}

/// Returns the lines of the tree of `paths`, with names in order of first appearance.
pub(crate) fn entries(paths: &[Vec<String>]) -> Vec<Entry> {
    let mut root = Node::default();
    for (index, path) in paths.iter().enumerate() {
        insert(&mut root, path, index);
    }
    let mut out = Vec::new();
    for node in &root.children {
        out.push(Entry { branch: Branch::default(), label: node.label.clone(), leaf: node.leaf });
        walk(node, "", "", &mut out);
    }
    out
}

fn insert(node: &mut Node, path: &[String], index: usize) {
    let Some((first, rest)) = path.split_first() else { return };
    // Only inner nodes are shared: two equal paths give two lines. Equal siblings are adjacent, so a search
    // that starts at the last child stays fast for thousands of cases.
    let shared = node.children.iter().rposition(|child| &child.label == first && child.leaf.is_none());
    let position = match shared {
        Some(position) if !rest.is_empty() => position,
        _ => {
            node.children.push(Node { label: first.clone(), ..Node::default() });
            node.children.len() - 1
        }
    };
    let child = &mut node.children[position];
    if rest.is_empty() { child.leaf = Some(index) } else { insert(child, rest, index) }
}

fn walk(node: &Node, unicode: &str, ascii: &str, out: &mut Vec<Entry>) {
    let last = node.children.len().saturating_sub(1);
    for (position, child) in node.children.iter().enumerate() {
        let (turn, bend, below, below_ascii) = if position == last {
            ("└─ ", "`- ", "   ", "   ")
        } else {
            ("├─ ", "|- ", "│  ", "|  ")
        };
        let branch = Branch { unicode: format!("{unicode}{turn}"), ascii: format!("{ascii}{bend}") };
        out.push(Entry { branch, label: child.label.clone(), leaf: child.leaf });
        walk(child, &format!("{unicode}{below}"), &format!("{ascii}{below_ascii}"), out);
    }
}

/// Returns the path of labels of every case. Parameters that are constant within a benchmark are on the line
/// of the benchmark. A benchmark with a single case has one line.
pub(crate) fn paths<'a>(cases: impl Iterator<Item = &'a Case>) -> Vec<Vec<String>> {
    let cases: Vec<&Case> = cases.collect();
    let mut paths = Vec::with_capacity(cases.len());
    let mut start = 0;
    while start < cases.len() {
        let first = cases[start];
        let same = |case: &&&Case| {
            case.id.suite == first.id.suite
                && case.id.benchmark == first.id.benchmark
                && case.group == first.group
        };
        let count = cases[start..].iter().take_while(same).count();
        let siblings = &cases[start..start + count];
        let fixed: Vec<bool> = (0..first.id.params.len())
            .map(|i| siblings.iter().all(|case| case.id.params.get(i) == first.id.params.get(i)))
            .collect();
        paths.extend(siblings.iter().map(|case| path(case, count > 1, &fixed)));
        start += count;
    }
    paths
}

fn path(case: &Case, nested: bool, fixed: &[bool]) -> Vec<String> {
    let mut path = vec![visible(&case.id.suite).into_owned()];
    path.extend(case.group.as_ref().map(|group| visible(group).into_owned()));
    let words = |own: bool| {
        let params = case.id.params.iter().enumerate();
        params
            .filter(move |(i, _)| fixed.get(*i).copied().unwrap_or(false) != own)
            .map(|(_, (key, value))| format!("{}={}", visible(key), visible(value)))
    };
    // Omit the group's name from the beginning of a name within the group.
    let below =
        case.group.as_ref().and_then(|group| case.id.benchmark.strip_prefix(group)?.strip_prefix('/'));
    let benchmark = visible(below.filter(|rest| !rest.is_empty()).unwrap_or(&case.id.benchmark)).into_owned();
    if nested {
        path.push([benchmark].into_iter().chain(words(false)).collect::<Vec<_>>().join(" "));
        let own = words(true).collect::<Vec<_>>().join(" ");
        if !own.is_empty() {
            path.push(own);
        }
    } else {
        path.push([benchmark].into_iter().chain(words(false)).collect::<Vec<_>>().join(" "));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::CaseId;

    #[test]
    fn glyphs_close_the_last_branch() {
        let paths: Vec<Vec<String>> = ["s/a/x", "s/a/y", "s/b"]
            .iter()
            .map(|path| path.split('/').map(str::to_owned).collect())
            .collect();
        let style = Style::default();
        let lines: Vec<String> =
            entries(&paths).iter().map(|e| format!("{}{}", e.branch.text(&style), e.label)).collect();
        assert_eq!(lines, ["s", "├─ a", "│  ├─ x", "│  └─ y", "└─ b"]);
        let ascii = Style { ascii: true, ..style };
        let lines: Vec<String> =
            entries(&paths).iter().map(|e| format!("{}{}", e.branch.text(&ascii), e.label)).collect();
        assert_eq!(lines, ["s", "|- a", "|  |- x", "|  `- y", "`- b"]);
    }

    #[test]
    fn the_lowest_rank_is_first_at_every_level() {
        let path = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<String>>();
        let paths = ["s/a/x", "s/a/y", "s/b", "t/c", "t/d", "s/e"].map(path);
        let order = |ranks: [f64; 6]| by_rank(&paths, &ranks);
        assert_eq!(order([0.0; 6]), [0, 1, 2, 5, 3, 4], "names that share a parent are adjacent");
        assert_eq!(order([0.0, 0.0, 0.0, 0.0, -3.0, -1.0]), [4, 3, 5, 0, 1, 2]);
        assert_eq!(order([0.0, -2.0, -1.0, 0.0, 0.0, 0.0]), [1, 0, 2, 5, 3, 4]);
    }

    #[test]
    fn a_group_is_named_once() {
        let of = |group: Option<&str>, benchmark: &str| {
            let id = CaseId { suite: "s".into(), benchmark: benchmark.into(), params: Vec::new() };
            Case { group: group.map(str::to_owned), ..Case::new(id) }
        };
        let cases = [of(Some("g"), "g/x"), of(Some("g"), "gx"), of(Some("g"), "g/"), of(None, "g/y")];
        assert_eq!(
            paths(cases.iter()),
            [vec!["s", "g", "x"], vec!["s", "g", "gx"], vec!["s", "g", "g/"], vec!["s", "g/y"]]
        );
    }

    #[test]
    fn equal_paths_stay_two_lines() {
        let paths = vec![vec!["s".to_owned(), "a".to_owned()]; 2];
        let leaves: Vec<Option<usize>> = entries(&paths).iter().map(|e| e.leaf).collect();
        assert_eq!(leaves, [None, Some(0), Some(1)]);
    }
}
