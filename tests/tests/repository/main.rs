//! What is checked in: pages, the code map and generated code are as they should be. One program, which is linked once.

mod architecture;
mod every_name;
mod generate;
mod new_revision;
mod readme;
