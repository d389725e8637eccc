/** Values and path segments that broke other servers; unescaped. */
// A value a line would be four pages.
// prettier-ignore
export const HOSTILE_TEXTS = [
  "", " ", "\0", "a\0b", "..", "../..", "..\\..", "/etc/passwd", "\\\\host\\share", "%2e%2e%2f", "%252e%252e%252f",
  "\r\nX: y", "__proto__", "constructor", "hasOwnProperty", "toString", "prototype", "__proto__[a]", "null",
  "undefined", "NaN", "true", "1e3", "+1", "-1", "-0", "01", "1.0", " 1", "1 ", "0x10", "1_000", "０１", "٣",
  "9007199254740991", "9007199254740992", "9".repeat(400), "(a+)+$", "^(.*)*$", ".*", "[", "a".repeat(3_000),
  "é".repeat(500), "e\u0301", "\u0301".repeat(500), "ﬁ", "😀😀", "😀", "\u202Eabc", "\uFEFF", "İstanbul", "ς", "ẞ",
  "<script>alert(1)</script>", "' OR 1=1 --", "${7*7}", "{{7*7}}",
];

/** Raw targets: traversals, and escapes that no encoder makes. */
// prettier-ignore
export const HOSTILE_PATHS = [
  "/..", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/%252e%252e/etc/passwd", "/..%2f..%2fetc%2fpasswd",
  "/..%5c..%5cboot.ini", "/%c0%ae%c0%ae/%c0%af", "/%e0%80%ae/", "/..;/api/v1/epoch", "/api/v1/../v1/epoch",
  "/api/v1/%2e/epoch", "/api/v1/epoch/..", "/./api/v1/epoch", "/api/v1/validators/%00",
  "/api/v1/validators/%2e%2e%2findex", "/api/v1/validators/..%2f..%2findex.json", "/api/v1/validators/%zz",
  "/api/v1/validators/%", "/api/v1/validators/%ff%fe", "/api/v1/__proto__", "/api/v1/constructor",
  "/__proto__/v1/epoch", "//api/v1/epoch", "/api//v1/epoch", "/api/v1/epoch//", "/api/v1/epoch/", "/API/V1/EPOCH",
  "/api/v1/epoch;a=b", "/api/v1/epoch%20", "/api/v1/epoch%00", "/api/v1/epoch%3f", "/api/v1/epoch%23",
  "/api/v1/epochs/1e3/events", "/api/v1/epochs/-1/events", "/api/v1/epochs//events", "/api/v1/mainnet/index.json",
  "/mainnet/index.json", "/healthz", "/readyz", "/metrics", "/", "*", "/favicon.ico", "/.env", "/.git/config",
  "http://a/api/v1/epoch", "http://a:1/..//api/v1/epoch", "https://user:pw@a/api/v1/epoch", "/api/v1/epoch?",
  "/api/v1/epoch??", "/api/v1/epoch?&&=&", "/api/v1/search?q", "/api/v1/search?q=%", "/api/v1/search?q=%zz%41",
  "/api/v1/search?q=%c0%af", "/api/v1/search?q=%ed%a0%80ab", "/api/v1/search?q[]=ab", "/api/v1/search?q[a]=ab",
  "/api/v1/search?q=ab#c", "/api/v1/search?q=a+b", "/api/v1/search?Q=ab", "/api/v1/search?q=ab&amp;network=x",
  "/api/v1/search?q=ab;network=x",
];

/** Headers by name, with values that mean something, or nearly. */
export const KNOWN_HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ["if-none-match", ["*", '""', 'W/"a"', '"a", "b"', '"', `"${"a".repeat(3_000)}"`, ", ,"]],
  [
    "accept-encoding",
    ["gzip", "br", "zstd", "identity;q=0, *;q=0", "gzip;q=2", "*", ";;;", "br;q=0.001, gzip;q=NaN"],
  ],
  ["accept", ["text/html", "application/xml;q=0", "*/*"]],
  ["x-forwarded-for", ["1.2.3.4", "::1, not an address", "127.0.0.1, ".repeat(100)]],
  ["x-forwarded-host", ["evil.example", "a@b"]],
  ["x-forwarded-proto", ["https", "javascript"]],
  ["origin", ["https://page.example", "null"]],
  ["access-control-request-method", ["GET", "DELETE"]],
  ["if-modified-since", ["Sat, 21 Nov 2026 00:00:00 GMT", "yesterday"]],
  ["range", ["bytes=0-1", "bytes=-1", "bytes=9-1"]],
  ["expect", ["100-continue", "a miracle"]],
  ["connection", ["close", "upgrade"]],
  ["upgrade", ["websocket", "h2c"]],
  ["authorization", ["Bearer x"]],
  ["x-http-method-override", ["DELETE"]],
  ["__proto__", ["x"]],
];
