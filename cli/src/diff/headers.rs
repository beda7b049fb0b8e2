//! Header fields, as WARC and HTTP have them.

/// Names and values of header fields.
#[derive(Debug, Default)]
pub(super) struct Headers(Vec<(String, String)>);

impl Headers {
    /// The fields of lines. A line that begins with a space goes on with the one before.
    pub(super) fn parse<'l>(lines: impl IntoIterator<Item = &'l [u8]>) -> Self {
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in lines {
            let line = String::from_utf8_lossy(line);
            if let (true, Some((_, value))) = (line.starts_with([' ', '\t']), fields.last_mut()) {
                value.push(' ');
                value.push_str(line.trim());
            } else if let Some((name, value)) = line.split_once(':') {
                fields.push((name.trim().to_owned(), value.trim().to_owned()));
            }
        }
        Self(fields)
    }

    /// The first value of a field. The case of names does not matter.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut fields = self.0.iter();
        let found = fields.find(|(field, _)| field.eq_ignore_ascii_case(name))?;
        Some(&found.1)
    }
}
