//! The command as its users run it, and what it makes: one program, which is linked once.

mod builder;
mod first_table;
mod output;
mod untrusted;
