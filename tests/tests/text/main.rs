//! Texts tokenized, at random and from test data: one program, which is linked once.

mod agreement;
mod checkpoints;
mod editor;
mod explained;
mod limits;
mod owned;
mod parts;
mod test_data;
