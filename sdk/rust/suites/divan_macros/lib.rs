//! Replaces the crate divan-macros. The attributes generate code that registers their items with the `divan`
//! of this folder.

use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::{quote, quote_spanned, ToTokens};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{parse_quote, Attribute, Expr, FnArg, GenericParam, Ident, ItemFn, ItemMod, Path, Token, Type};

/// Quotes tokens hygienically, so that their variables are distinct from the user's.
macro_rules! ours {
    ($($token:tt)*) => {
        quote_spanned!(Span::mixed_site() => $($token)*)
    };
}

/// Maximum number of constants if `consts` is an expression other than a list.
const CONSTS: usize = 20;

#[proc_macro_attribute]
pub fn bench(options: TokenStream, item: TokenStream) -> TokenStream {
    let plain = Tokens::from(item.clone());
    let made = syn::parse::<Options>(options).and_then(|options| {
        syn::parse::<ItemFn>(item).and_then(|item| benchmark(&options.of(&item.attrs), &item))
    });
    joined(plain, made)
}

#[proc_macro_attribute]
pub fn bench_group(options: TokenStream, item: TokenStream) -> TokenStream {
    let plain = Tokens::from(item.clone());
    let made = syn::parse::<Options>(options).and_then(|options| {
        let item = syn::parse::<ItemMod>(item)?;
        let raw = item.ident.to_string();
        Ok(entry(&options.of(&item.attrs), &raw, item.ident.span(), quote!(None)))
    });
    joined(plain, made)
}

/// Returns the item unchanged, followed by the code that registers it.
fn joined(item: Tokens, made: syn::Result<Tokens>) -> TokenStream {
    let made = made.unwrap_or_else(|why| why.to_compile_error());
    quote!(#item #made).into()
}

#[derive(Default)]
struct Options {
    krate: Option<Path>,
    name: Option<Expr>,
    args: Option<Expr>,
    consts: Option<Expr>,
    types: Option<Vec<Type>>,
    /// All other arguments, by name. The value of a flag is `true`.
    others: Vec<(Ident, Expr)>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Options> {
        let mut options = Options::default();
        while !input.is_empty() {
            if input.peek(Token![crate]) {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                options.krate = Some(input.call(Path::parse_mod_style)?);
            } else {
                options.one(input)?;
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

impl Options {
    fn one(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let name: Ident = input.parse()?;
        if !input.peek(Token![=]) {
            self.others.push((name, parse_quote!(true)));
            return Ok(());
        }
        input.parse::<Token![=]>()?;
        if name == "types" {
            let list;
            syn::bracketed!(list in input);
            self.types = Some(Punctuated::<Type, Token![,]>::parse_terminated(&list)?.into_iter().collect());
            return Ok(());
        }
        let value: Expr = input.parse()?;
        match name.to_string().as_str() {
            "name" => self.name = Some(value),
            "args" => self.args = Some(value),
            "consts" => self.consts = Some(value),
            _ => self.others.push((name, value)),
        }
        Ok(())
    }

    /// Returns the options merged with those of other attributes of the item, such as `#[ignore]`.
    fn of(mut self, attributes: &[Attribute]) -> Options {
        if attributes.iter().any(|attribute| attribute.path().is_ident("ignore")) {
            self.others.push((Ident::new("ignore", Span::call_site()), parse_quote!(true)));
        }
        self
    }

    fn krate(&self) -> Tokens {
        self.krate.as_ref().map_or_else(|| quote!(::divan), ToTokens::into_token_stream)
    }

    fn setters(&self) -> Vec<Tokens> {
        let setter = |(name, value): &(Ident, Expr)| match name.to_string().as_str() {
            "ignore" => ours!(options.ignore = #value;),
            "threads" => ours!(options.threads = __private::IntoThreads::into_threads(#value);),
            "counter" => ours!(options.count(#value);),
            "counters" => match value {
                Expr::Array(list) => list.elems.iter().map(|one| ours!(options.count(#one);)).collect(),
                other => ours!(options.count(#other);),
            },
            "bytes_count" => ours!(options.count(__private::BytesCount::from(#value));),
            "items_count" => ours!(options.count(__private::ItemsCount::from(#value));),
            "chars_count" | "cycles_count" => ours!(let _ = #value;),
            _ => ours!(let _ = #value; options.not_obeyed = true;),
        };
        self.others.iter().map(setter).collect()
    }
}

/// Returns the code that registers an entry before `main` runs.
fn entry(options: &Options, raw: &str, place: Span, cases: Tokens) -> Tokens {
    let krate = options.krate();
    let raw = raw.strip_prefix("r#").unwrap_or(raw);
    let name = options.name.as_ref().map_or_else(|| quote!(#raw), ToTokens::into_token_stream);
    let setters = options.setters();
    // This span makes names hygienic, locates errors at `place`, and uses the edition of this crate.
    let here = Span::mixed_site().located_at(place);
    quote_spanned! { here =>
        const _: () = {
            use #krate::__private;
            extern "C" fn push() {
                __private::push(__private::Entry {
                    raw: #raw,
                    name: || ::std::string::String::from(#name),
                    module: ::std::module_path!(),
                    file: ::std::file!(),
                    line: ::std::line!(),
                    options: || {
                        #[allow(unused_mut)]
                        let mut options = __private::Options::default();
                        #(#setters)*
                        options
                    },
                    cases: #cases,
                });
            }
            #[used]
            #[cfg_attr(windows, link_section = ".CRT$XCU")]
            #[cfg_attr(target_vendor = "apple", link_section = "__DATA,__mod_init_func")]
            #[cfg_attr(not(any(windows, target_vendor = "apple")), link_section = ".init_array")]
            static PUSH: extern "C" fn() = push;
        };
    }
}

fn benchmark(options: &Options, item: &ItemFn) -> syn::Result<Tokens> {
    let inputs: Vec<&FnArg> = item.sig.inputs.iter().collect();
    let most = if options.args.is_some() { 2 } else { 1 };
    if inputs.len() > most {
        return Err(syn::Error::new(
            item.sig.inputs.span(),
            "a benchmark function takes a Bencher, and an argument if `args` is set",
        ));
    }
    let versions = versions(options, item)?;
    let cases = ours! {
        Some(|| {
            #[allow(unused_mut)]
            let mut cases = ::std::vec::Vec::new();
            #(#versions)*
            cases
        })
    };
    Ok(entry(options, &item.sig.ident.to_string(), item.sig.ident.span(), cases))
}

/// Returns the cases of each instance of a function, which may be generic.
fn versions(options: &Options, item: &ItemFn) -> syn::Result<Vec<Tokens>> {
    let function = &item.sig.ident;
    let params = &item.sig.generics.params;
    let const_type = params.iter().find_map(|param| match param {
        GenericParam::Const(param) => Some(param.ty.clone()),
        _ => None,
    });
    let is_const_first = matches!(
        params.iter().find(|p| !matches!(p, GenericParam::Lifetime(_))),
        Some(GenericParam::Const(_))
    );
    let types: Vec<Option<&Type>> = match &options.types {
        Some(types) => types.iter().map(Some).collect(),
        None => vec![None],
    };
    let mut versions = Vec::new();
    for of in types {
        let type_part = of.map(|of| ours!(parts.push(__private::type_part::<#of>());));
        let mut add = |value: Option<Tokens>, guard: Tokens, name: Tokens| {
            let generic = arguments(of, value.as_ref(), is_const_first);
            let called = ours!(#function #generic);
            let calls = calls(options, item, &called);
            versions.push(ours! {
                #guard {
                    #[allow(unused_mut)]
                    let mut parts: ::std::vec::Vec<::std::string::String> = ::std::vec::Vec::new();
                    #type_part
                    #name
                    #calls
                }
            });
        };
        match (&options.consts, &const_type) {
            (None, _) => add(None, ours!(), ours!()),
            (Some(Expr::Array(list)), Some(_)) => {
                for one in &list.elems {
                    add(
                        Some(ours!(#one)),
                        ours!(),
                        ours!(parts.push(::std::string::ToString::to_string(&{ #one }));),
                    );
                }
            }
            (Some(list), Some(of)) => {
                for place in 0..CONSTS {
                    let value = ours!({ const LIST: &[#of] = &#list; if #place < LIST.len() { LIST[#place] } else { LIST[0] } });
                    let guard = ours!(if #place < { const LIST: &[#of] = &#list; LIST.len() });
                    add(
                        Some(value.clone()),
                        guard,
                        ours!(parts.push(::std::string::ToString::to_string(&#value));),
                    );
                }
            }
            (Some(list), None) => {
                return Err(syn::Error::new(
                    list.span(),
                    "`consts` needs a function with a const generic parameter",
                ))
            }
        }
    }
    Ok(versions)
}

/// Returns the generic arguments of an instance: its type and its constant, in the function's order.
fn arguments(of: Option<&Type>, value: Option<&Tokens>, is_const_first: bool) -> Tokens {
    match (of, value) {
        (None, None) => ours!(),
        (Some(of), None) => ours!(::<#of>),
        (None, Some(value)) => ours!(::<{ #value }>),
        (Some(of), Some(value)) if is_const_first => ours!(::<{ #value }, #of>),
        (Some(of), Some(value)) => ours!(::<#of, { #value }>),
    }
}

/// Returns the code that calls an instance, once for each argument.
fn calls(options: &Options, item: &ItemFn, called: &Tokens) -> Tokens {
    let has_bencher = item.sig.inputs.len() > usize::from(options.args.is_some());
    let Some(args) = &options.args else {
        let call = match has_bencher {
            true => ours!(|bencher| _ = #called(bencher)),
            false => ours!(|bencher: __private::Bencher<'_, '_>| bencher.bench(|| #called())),
        };
        return ours!(cases.push(__private::Case::new(parts, #call)););
    };
    let is_reference = match item.sig.inputs.last() {
        Some(FnArg::Typed(param)) => matches!(*param.ty, Type::Reference(_)),
        _ => false,
    };
    let value = match is_reference {
        true => ours!(__private::black_box(arg)),
        false => ours!(__private::Take::take(__private::black_box(arg))),
    };
    let call = match has_bencher {
        true => ours!(move |bencher: __private::Bencher<'_, '_>| _ = #called(bencher, #value)),
        false => ours!(move |bencher: __private::Bencher<'_, '_>| bencher.bench(move || #called(#value))),
    };
    ours! {
        #[allow(unused_imports)]
        use __private::{ViaDebug as _, ViaDisplay as _};
        let list = ::std::boxed::Box::leak(::std::iter::Iterator::collect::<::std::boxed::Box<[_]>>(::std::iter::IntoIterator::into_iter(#args)));
        for arg in list.iter() {
            let mut parts = parts.clone();
            parts.push((&__private::Name(arg)).named());
            cases.push(__private::Case::new(parts, #call));
        }
    }
}
