speclex::tokenizer! {
    mod sgml = builtin "sgml";
}

fn main() {}
