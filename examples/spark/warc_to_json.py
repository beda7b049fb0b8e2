"""Prints the pages of WARC files as lines of JSON: warc_to_json.py FILE..., where - is the standard input."""
import collections
import json
import sys

from warcio.archiveiterator import ArchiveIterator

TYPES = "text/html", "application/xhtml+xml"
CODINGS = "", "identity", "gzip", "deflate"
LONGEST = 16 << 20
# What a record counts as. The other reasons are those for which a record is not read.
PAGE = "page"
NOT_UTF8 = "page that is not UTF-8: U+FFFD replaces what is malformed"
LEFT_OUT = "left out: "


def page(record):
    """The text of a record's page, or None; and what the record counts as."""
    if record.rec_type != "response" or not record.http_headers:
        return None, LEFT_OUT + "no HTTP response"

    def field(name):
        return record.http_headers.get_header(name, "").split(";")[0].strip().lower()

    if field("Content-Type") not in TYPES:
        return None, LEFT_OUT + "another content type"
    if field("Content-Encoding") not in CODINGS:
        return None, "another content coding"
    # Chunked, gzip and deflate are taken off, unless a crawler did so already and left the header fields.
    stream = record.content_stream()
    body = stream.read(LONGEST + 1)
    if len(body) > LONGEST:
        return None, "longer than 16 MiB"
    if not getattr(getattr(stream, "decompressor", None), "eof", True):
        return None, "the compressed body breaks off"
    return decoded(body)


def decoded(body):
    """The text of bytes, and what they count as."""
    text = body.decode("utf-8", "replace")
    return text, PAGE if text.encode() == body else NOT_UTF8


def line(name, text, what):
    """The line of JSON, or None if the record is left out; and what the record counts as."""
    if text is not None:
        return json.dumps({"name": name, "document": text}), what
    if what.startswith(LEFT_OUT):
        return None, what
    # Speclex counts a line with an error as unread.
    return json.dumps({"name": name, "error": what}), "not read: " + what


def lines(path, opened=open):
    """For each record of a WARC file its line, and what it counts as."""
    try:
        with opened(path, "rb") as file:
            records = ArchiveIterator(file)
            for record in records:
                text, what = page(record)
                while record.raw_stream.read(1 << 16):
                    pass
                if record.raw_stream.limit > 0:
                    text, what = None, "the file ends in the record"
                yield line(record.rec_headers.get_header("WARC-Target-URI", path), text, what)
            for _ in range(records.err_count):
                yield line(path, None, "a record's Content-Length is wrong")
    except Exception as error:
        yield line(path, None, f"the rest of the file cannot be read: {error}")


if __name__ == "__main__":
    counts = collections.Counter()
    for path in sys.argv[1:]:
        opened = open if path != "-" else lambda *_: sys.stdin.buffer
        for printed, what in lines(path, opened):
            counts[what] += 1
            if printed is not None:
                print(printed)
    for what, times in sorted(counts.items()):
        print(f"{times} × {what}", file=sys.stderr)
