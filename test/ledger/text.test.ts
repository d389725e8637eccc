import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toName, toUrl } from "../../generator/ledger/text.ts";
import { HAS_RECORDED, RECORDED } from "../observe/fixtures.ts";

const SCHEMES = ["https:", "http:"] as const;

/** Code points that show as nothing, or turn what stands beside them, by number, so that a changed pattern shows. */
const UNSEEN = [
  ...[0x00, 0x07, 0x09, 0x0a, 0x1b, 0x7f, 0x85, 0xad],
  ...[0x34f, 0x61c, 0x115f, 0x17b4, 0x180b, 0x180e],
  ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0x206f],
  ...[0x2800, 0x3164, 0xe000, 0xfdd0, 0xfe0f, 0xfeff, 0xffa0, 0xfffb, 0xfffe],
  ...[0x1d173, 0x1ffff, 0xe0001, 0xe0041, 0xe0100, 0xf0000, 0x10ffff],
].map((codePoint) => String.fromCodePoint(codePoint));

const hostile = fc
  .array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...UNSEEN, "\ud800", "\udc00", "e\u0301", "👩‍💻", " ")))
  .map((parts) => parts.join(""));

describe("a name", () => {
  it.each([
    ["Plain Name", "Plain Name"],
    ["  spaced\u00a0", "spaced"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["evil\u202etxt.exe", "eviltxt.exe"],
    ["zero\u200bwidth\ufeff", "zerowidth"],
    ["line\nbreak\u0000\u0085", "linebreak"],
    ["e\u0301", "é"],
    ["e\u200b\u0301", "é"],
    [`${"x".repeat(79)} tail`, "x".repeat(79)],
    ["\u2066\u2069\u200d", null],
    ["\u2800\u3164", null],
    ["", null],
    [null, null],
    ["👩‍💻 & ❤️", "👩💻 & ❤"],
    ["hidden\u{e0041}\u{e0100}", "hidden"],
    ["🙂".repeat(100), "🙂".repeat(80)],
    ["x".repeat(300), "x".repeat(80)],
    ["half \ud800 pair", "half  pair"],
    ["日本語 Ünïcödé Ελλάδα", "日本語 Ünïcödé Ελλάδα"],
  ])("%j becomes %j", (raw, name) => {
    expect(toName(raw)).toBe(name);
  });

  it.each(UNSEEN.map((text) => [text.codePointAt(0)?.toString(16), text]))("never holds U+%s", (_, text) => {
    expect(toName(`a${text}b`)).toMatch(/^a ?b$/);
  });

  it("of any text is visible, NFC, trimmed, at most 80 code points, and its own name", () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const name = toName(raw);
        if (name === null) return;
        expect(UNSEEN.filter((text) => name.includes(text))).toEqual([]);
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u);
        expect(name).toBe(name.normalize("NFC"));
        expect(name).toBe(name.trim());
        expect(name.isWellFormed()).toBe(true);
        expect(Array.from(name).length).toBeLessThanOrEqual(80);
        expect(name).not.toBe("");
        expect(toName(name)).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it.skipIf(!HAS_RECORDED)("is kept of every validator of a live cluster that has one", () => {
    const names = readRecorded().map(({ name }) => name);
    expect(names.filter((name) => name.trim() !== "" && toName(name) === null)).toEqual([]);
    expect(names.filter((name) => toName(name) === name).length).toBeGreaterThan(names.length * 0.95);
  });
});

describe("an address", () => {
  it.each([
    ["https://example.org/icon.png", "https://example.org/icon.png"],
    ["http://example.org/icon.png", null],
    ["javascript:alert(1)", null],
    ["java\nscript:alert(1)", null],
    ["data:image/png;base64,AAAA", null],
    ["file:///etc/passwd", null],
    ["https://user:secret@example.org/", null],
    ["https://user@example.org/", null],
    ["https://:secret@example.org/", null],
    [`https://example.org/${"a".repeat(300)}`, null],
    [`https://example.org/${"é".repeat(100)}`, null],
    ["https://", null],
    ["//example.org", null],
    ["example.org", null],
    ["", null],
    [null, null],
  ])("of an icon, %j, is published as %j", (raw, url) => {
    expect(toUrl(raw, ["https:"])).toBe(url);
  });

  it("of a website may be http", () => {
    expect(toUrl("http://example.org", SCHEMES)).toBe("http://example.org/");
  });

  it("of any kind is plain characters, of an allowed scheme, without credentials, and its own address", () => {
    const parts = fc.constantFrom(
      "https://",
      "HTTP://",
      "javascript:",
      "user:pw@",
      "example.org",
      "/a b",
      "#\u202e",
      '"<>',
    );
    const raw = fc.array(fc.oneof(parts, fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 8 });
    let published = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          raw,
          raw.map((rest) => ["https://example.org/", ...rest]),
        ),
        (pieces) => {
          const url = toUrl(pieces.join(""), SCHEMES);
          if (url === null) return;
          published += 1;
          expect(url).toMatch(/^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]+$/);
          expect(url.length).toBeLessThanOrEqual(256);
          expect(new URL(url)).toMatchObject({ username: "", password: "" });
          expect(toUrl(url, SCHEMES)).toBe(url);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(published).toBeGreaterThan(100);
  });
});

/** What validators of a live cluster said of themselves in 2021. */
function readRecorded(): { name: string }[] {
  interface Recorded {
    account: { data: { parsed?: { info: { configData?: { name?: unknown } } } } };
  }
  const file = readFileSync(new URL("info/validatorInfo.testnet.2021-10.json", RECORDED), "utf8");
  const [{ response }] = JSON.parse(file) as [{ response: { body: { result: Recorded[] } } }];
  return response.body.result.flatMap(({ account }) => {
    const name = account.data.parsed?.info.configData?.name;
    return typeof name === "string" ? [{ name }] : [];
  });
}
