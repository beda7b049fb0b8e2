fn main() -> Result<(), speclex_codegen::BuildError> {
    speclex_codegen::Builder::new()
        .table("tables/settings-tree.yaml")
        .generate()
}
