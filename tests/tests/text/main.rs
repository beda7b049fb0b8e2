//! Texts tokenized, at random and from test data: one program, which is linked once.

mod agreement;
mod explained;
mod limits;
mod owned;
mod parts;
mod test_data;
