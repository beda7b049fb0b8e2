//! Nothing: the cases are in `fail` and `pass`, the tests in `tests`.
