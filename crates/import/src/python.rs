//! Handles values in Python's notation.

/// Removes addresses, which differ between processes, from a value in Python's notation such as
/// `<function f at 0x7f12>`.
pub(crate) fn without_addresses(text: &str) -> String {
    const ADDRESS: &str = " at 0x";
    let mut rest = text;
    let mut bare = String::with_capacity(text.len());
    while let Some((before, after)) = rest.split_once(ADDRESS) {
        bare.push_str(before);
        let digits = after.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(after.len());
        if digits == 0 {
            bare.push_str(ADDRESS);
        }
        rest = &after[digits..];
    }
    bare + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_no_part_of_a_value() {
        for (text, bare) in [
            ("<function f at 0x7f12ab>", "<function f>"),
            ("x[<A at 0x1>-<B at 0x2>-1]", "x[<A>-<B>-1]"),
            ("look at 0xyz", "look at 0xyz"),
            ("at 0x1f", "at 0x1f"),
        ] {
            assert_eq!(without_addresses(text), bare);
        }
    }
}
