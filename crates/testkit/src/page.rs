//! Reads the data in an HTML report.

use flate2::read::DeflateDecoder;
use serde_json::Value;
use std::io::Read;

/// Returns the raw text of a data element: deflated JSON in Base64.
fn text<'a>(page: &'a str, id: &str) -> &'a str {
    let mark = format!("<script type=\"application/json\" id=\"{id}\">\"");
    let from = page.find(&mark).expect(id) + mark.len();
    &page[from..from + page[from..].find("\"</script").unwrap()]
}

/// Returns the data of the element with this id.
///
/// # Panics
///
/// Panics if the element does not exist, or if its content is not deflated JSON in Base64.
pub fn data(page: &str, id: &str) -> Value {
    let letters = text(page, id).trim_end_matches('=').bytes().map(|letter| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        other => panic!("{other} could be markup"),
    });
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for six in letters {
        (held, bits) = (held << 6 | u32::from(six), bits + 6);
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    let mut json = String::new();
    DeflateDecoder::new(&bytes[..]).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

/// Returns the item at `index` of the list `name`, which is divided into several data elements.
///
/// # Panics
///
/// Panics like [`data`].
pub fn value(page: &str, name: &str, index: usize) -> Value {
    let starts: Vec<usize> = serde_json::from_value(data(page, "data")["chunks"][name].clone()).unwrap();
    let chunk = starts.partition_point(|start| *start <= index) - 1;
    data(page, &format!("{name}-{chunk}"))[index - starts[chunk]].take()
}
