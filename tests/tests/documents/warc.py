"""Makes WARC files, with gzip records and bodies in several codings, without warcio: warc.py pages OUT FILE..., or
warc.py special OUT."""
import gzip
import sys
import zlib

HTML = "Content-Type: Text/HTML; charset=utf-8\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
PAGE = b"<p><?a?>"


def record(kind, address, block, missing=0):
    header = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {address}\r\n"
    header += f"Content-Type: application/http\r\nContent-Length: {len(block) + missing}\r\n\r\n"
    return gzip.compress(header.encode() + block + b"\r\n\r\n")


def response(name, fields, body, missing=0):
    address = f"https://example.org/{name}"
    request = record("request", address, b"GET / HTTP/1.1\r\n\r\n")
    block = f"HTTP/1.1 200 OK\r\n{fields}\r\n".encode() + body
    return request + record("response", address, block, missing)


def chunks(body, size=1000):
    parts = [body[at : at + size] for at in range(0, len(body), size)] + [b""]
    return b"".join(b"%x;a=b\r\n%b\r\n" % (len(part), part) for part in parts)


def coded(coding):
    return f"{HTML}Content-Encoding: {coding}\r\n"


def pages(paths):
    yield record("warcinfo", "crawl", b"software: speclex-tests\r\n")
    for number, path in enumerate(paths):
        with open(path, "rb") as file:
            body = file.read()
        fields = HTML
        if number % 3 == 1:
            fields, body = coded("gzip"), gzip.compress(body)
        if number % 2:
            fields, body = fields + CHUNKED, chunks(body)
        yield response(path, fields, body)


def special():
    raw = zlib.compressobj(wbits=-15)
    raw = raw.compress(PAGE) + raw.flush()
    yield response("plain", HTML, PAGE)
    yield response("xhtml", "Content-Type: application/xhtml+xml\r\n", PAGE)
    yield response("chunked", HTML + CHUNKED, chunks(PAGE, 3))
    # Some crawlers take codings off and leave the fields.
    yield response("chunked-no-more", HTML + CHUNKED, PAGE)
    yield response("gzip-no-more", coded("gzip"), PAGE)
    yield response("gzip", coded("gzip"), gzip.compress(PAGE))
    yield response("zlib", coded("deflate"), zlib.compress(PAGE))
    yield response("deflate", coded("deflate"), raw)
    yield response("both", coded("gzip") + CHUNKED, chunks(gzip.compress(PAGE)))
    yield response("not-utf-8", HTML, PAGE + b"\xff\xe2\x82")
    yield response("brotli", coded("br"), PAGE)
    yield response("image", "Content-Type: image/png\r\n", PAGE)
    yield response("no-type", "", PAGE)
    yield response("cut-gzip", coded("gzip"), gzip.compress(bytes(range(256)))[:-20])
    yield response("long", coded("gzip"), gzip.compress(bytes((16 << 20) + 1)))
    yield record("response", "dns:example.org", b"20260101 example.org")
    yield response("cut", HTML, PAGE, missing=9)


if sys.argv[1:2] == ["pages"]:
    records = pages(sys.argv[3:])
else:
    records = special()
with open(sys.argv[2], "wb") as out:
    out.writelines(records)
