//! The command as its users run it, and what it makes: one program, which is linked once.

mod analyze;
mod builder;
mod command_names;
mod commands;
mod comparisons;
mod conform;
mod documents;
mod encodings;
mod first_table;
mod kinds_of_files;
mod limits;
mod output;
mod parts;
mod program;
mod streams;
mod suggestions;
mod surveys;
mod trees;
mod untrusted;
