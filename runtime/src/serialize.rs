//! Tokens, errors and places as data, with the feature `serde`.

#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// Implements `Serialize` for the owned tokens of a vocabulary, as serde would derive it. Generated code calls it
/// whatever the features of this crate are; it cannot know them.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __serialize {
    ($token:ident: $($index:literal $variant:ident $(($data:ident))? $({ $($field:ident),* })?;)*) => {
        impl $crate::rt::serde::Serialize for $token<'_> {
            fn serialize<T: $crate::rt::serde::Serializer>(
                &self,
                to: T,
            ) -> ::core::result::Result<T::Ok, T::Error> {
                match self {
                    $(Self::$variant $(($data))? $({ $($field),* })? => $crate::__serialize_variant!(
                        to $index $variant $(($data))? $({ $($field),* })?
                    ),)*
                }
            }
        }
    };
}

#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __serialize {
    ($($token:tt)*) => {};
}

#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __serialize_variant {
    ($to:ident $index:literal $name:ident) => {
        $to.serialize_unit_variant("Token", $index, ::core::stringify!($name))
    };
    ($to:ident $index:literal $name:ident ($data:ident)) => {
        $to.serialize_newtype_variant("Token", $index, ::core::stringify!($name), $data)
    };
    ($to:ident $index:literal $name:ident { $($field:ident),* }) => {{
        use $crate::rt::serde::ser::SerializeStructVariant as _;
        let keys = [$(::core::stringify!($field)),*];
        let mut fields =
            $to.serialize_struct_variant("Token", $index, ::core::stringify!($name), keys.len())?;
        $(fields.serialize_field(::core::stringify!($field), $field)?;)*
        fields.end()
    }};
}

#[cfg(feature = "serde")]
impl Serialize for crate::ErrorCode {
    fn serialize<T: Serializer>(&self, to: T) -> Result<T::Ok, T::Error> {
        to.serialize_str(self.as_str())
    }
}

/// Structs, by their fields.
#[cfg(feature = "serde")]
macro_rules! structs {
    ($($name:ident { $($field:ident),* })*) => {$(
        impl Serialize for crate::$name {
            fn serialize<T: Serializer>(&self, to: T) -> Result<T::Ok, T::Error> {
                let names = [$(stringify!($field)),*];
                let mut fields = to.serialize_struct(stringify!($name), names.len())?;
                $(fields.serialize_field(stringify!($field), &self.$field)?;)*
                fields.end()
            }
        }
    )*};
}

#[cfg(feature = "serde")]
structs! {
    Explained { code, span, explanation, link }
    Location { line, column }
    ParseError { code, offset }
    Span { start, end }
}
