//! Catches panics of set-up, body and tear-down. A panic becomes a message with a backtrace, and the process
//! continues.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub message: String,
    /// Location and backtrace if the failure was a panic.
    pub detail: Option<String>,
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure { message, detail: None }
    }
}

thread_local! {
    /// `Some` while this thread is inside `catch`. Contains the location and backtrace once there is a panic.
    static STACK: RefCell<Option<Option<String>>> = const { RefCell::new(None) };
}

/// Calls `f`. Returns a panic of this thread as an error instead of printing it. Panics of other threads are
/// printed as usual.
pub fn catch<T>(f: impl FnOnce() -> T) -> Result<T, Failure> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_caught = STACK.with(|stack| match stack.borrow_mut().as_mut() {
                Some(slot) => {
                    let place = info.location().map_or_else(String::new, |place| format!("at {place}\n"));
                    *slot = Some(format!("{place}{}", Backtrace::force_capture()));
                    true
                }
                None => false,
            });
            if !is_caught {
                before(info);
            }
        }));
    });
    let outer = STACK.with(|stack| stack.borrow_mut().replace(None));
    let result = panic::catch_unwind(AssertUnwindSafe(f));
    let detail = STACK.with(|stack| std::mem::replace(&mut *stack.borrow_mut(), outer)).flatten();
    result.map_err(|payload| Failure { message: format!("panic: {}", text_of(payload.as_ref())), detail })
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "with a value that is not a string".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_with_its_place_and_its_stack() {
        let failure = catch(|| panic!("number {}", 7)).unwrap_err();
        assert_eq!(failure.message, "panic: number 7");
        let detail = failure.detail.unwrap();
        assert!(detail.contains("panics.rs:") && detail.lines().count() > 3, "{detail}");
        assert_eq!(catch(|| 5), Ok(5));
        let nested = catch(|| {
            assert!(catch(|| panic!("inner")).is_err());
            panic!("outer")
        });
        assert!(nested.unwrap_err().detail.is_some(), "the outer call still knows that it catches");
        assert_eq!(
            catch(|| panic::panic_any(5)).unwrap_err().message,
            "panic: with a value that is not a string"
        );
    }
}
