speclex::parser! {
    mod words = "tables/words.yaml";
    mod html = builtin "html-living";
    mod tree = builtin "html-tree-lving";
}

fn main() {}
