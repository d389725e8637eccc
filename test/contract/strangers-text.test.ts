import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  toName,
  toPlainLine,
  toUrl,
  toVisibleJson,
} from "../../generator/contract/strangers-text.ts";
import { HAS_RECORDED, OF_RECORDED, RECORDED } from "../observe/fixtures.ts";
import { SOAK } from "../soak/soak.ts";

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Code points that show as nothing, or turn what stands
 * beside them, by number, so that a changed pattern shows.
 */
const UNSEEN = [
  ...[0x00, 0x07, 0x09, 0x0a, 0x1b, 0x7f, 0x85, 0xad],
  ...[0x34f, 0x61c, 0x115f, 0x17b4, 0x180b, 0x180e],
  ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0x206f],
  ...[0x2800, 0x3164, 0xe000, 0xfdd0, 0xfe0f, 0xfeff, 0xffa0, 0xfffb, 0xfffe],
  ...[0x1d173, 0x1ffff, 0xe0001, 0xe0041, 0xe0100, 0xf0000, 0x10ffff],
].map((codePoint) => String.fromCodePoint(codePoint));

const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(...UNSEEN, "\ud800", "\udc00", "e\u0301", "👩‍💻", " "),
    ),
  )
  .map((parts) => parts.join(""));

/** What a terminal obeys, whole. */
const SEQUENCES = [
  ...[
    "\u001b[31m",
    "\u001b[0m",
    "\u001b[2J",
    "\u001b[?25l",
    "\u001b[38;2;1;2;3m",
    "\u009b1;1H",
    "\u001b[ q",
  ],
  ...[
    "\u001b]0;title\u0007",
    "\u001b]8;;https://evil.example\u001b\\",
    "\u009d2;title\u009c",
    "\u001bPq#0\u001b\\",
  ],
  ...[
    "\u001bc",
    "\u001b7",
    "\u001bM",
    "\u001b(0",
    "\u001b#8",
    "\u001b%G",
    "\u0084",
    "\u0007",
    "\u0008",
  ],
];

/** Texts of which the most are parts of such sequences. */
const steering = fc
  .array(
    fc.constantFrom(
      ...SEQUENCES,
      ...Array.from("\u001b\u009b\u009d\u009c\u0007[]P\\;031mMcé \n\u200b\u0301"),
    ),
  )
  .map((parts) => parts.join(""));

describe("a name", () => {
  it.each([
    ["a\u001b[31mred\u001b[0m", "ared"],
    ["\u001b]0;title\u0007Stake \u001b(BHere\u009b0m", "Stake Here"],
    ["\u001b[31m", null],
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

  it.each(UNSEEN)("never holds %j", (text) => {
    expect(toName(`a${text}b`)).toMatch(/^a ?b$/);
  });

  it("of any text is visible, NFC, trimmed, at most 80 code points, and its own name", () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const name = toName(raw);
        if (name === null) return;
        expect(UNSEEN.filter((text) => name.includes(text))).toEqual([]);
        expect(name).not.toMatch(INVISIBLE);
        expect(name).toBe(name.normalize("NFC").trim());
        expect(Array.from(name).length).toBeLessThanOrEqual(80);
        expect(name).not.toBe("");
        expect(toName(name)).toBe(name);
      }),
      { numRuns: 400 * SOAK },
    );
  });

  it.skipIf(!HAS_RECORDED)(
    `is kept of every validator of a live cluster that has one${OF_RECORDED}`,
    () => {
      const names = readRecorded();
      expect(names.filter((name) => name.trim() !== "" && toName(name) === null)).toEqual([]);
      expect(names.filter((name) => toName(name) === name).length).toBeGreaterThan(
        names.length * 0.95,
      );
    },
  );
});

describe("a line", () => {
  it.each([
    ["a\u001b[31mred\u001b[0m", "ared"],
    ["\u001b[2J\u001b[Hcleared", "cleared"],
    ["cut\u001b[38;5", "cut"],
    ["c1\u009b1;31mred\u009bm", "c1red"],
    ["\u001b]0;another title\u0007a", "a"],
    ["\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u009d0;another title\u009ca", "a"],
    ["\u001bP1;2|dcs\u001b\\a\u001b_apc\u001b\\b", "ab"],
    ["reset\u001bc\u001b(B\u001b#8!", "reset!"],
    ["no end \u001b]0;of it", "no end 0;of it"],
    ["one in another \u001b[\u001b[31m31m", "one in another 31m"],
    ["in between \u001b\u200b[3\u00001m!", "in between !"],
    ["composed \u001b[31m\u0301!", "composed \u0301!"],
    ["forged\n2026-11-20 all is well\r\n\tso it is", "forged 2026-11-20 all is well so it is"],
    ["evil\u202etxt.exe zero\u200bwidth", "eviltxt.exe zerowidth"],
    ["\u2028 \u0085 ", ""],
  ])("%j becomes %j", (raw, line) => {
    expect(toPlainLine(raw)).toBe(line);
  });

  it("is as long as it may be, and no character is cut in two", () => {
    expect(toPlainLine("🙂".repeat(5_000))).toBe("🙂".repeat(2_000));
    expect(toPlainLine("🙂🙂 🙂", 3)).toBe("🙂🙂");
    expect(toPlainLine("x".repeat(5_000), Infinity)).toHaveLength(5_000);
  });

  it("of any text is visible, one line, NFC, and its own line", () => {
    fc.assert(
      fc.property(fc.oneof(hostile, steering), fc.integer({ min: 1, max: 60 }), (raw, most) => {
        const line = toPlainLine(raw, most);
        expect(line).not.toMatch(INVISIBLE);
        expect(line).toBe(line.normalize("NFC").trim());
        expect(Array.from(line).length).toBeLessThanOrEqual(most);
        expect(toPlainLine(line, most)).toBe(line);
      }),
      { numRuns: 400 * SOAK },
    );
  });

  it("holds nothing of the sequences between its words, which all stay", () => {
    const word = fc.stringMatching(/^[ab]{1,5}$/);
    const sequence = fc.constantFrom(...SEQUENCES);
    fc.assert(
      fc.property(fc.array(fc.oneof(word, sequence)), (pieces) => {
        const words = pieces.filter((piece) => /^[ab]+$/.test(piece)).join("");
        expect(toPlainLine(pieces.join(""))).toBe(words);
        expect(toName(pieces.join(""))).toBe(Array.from(words).slice(0, 80).join("") || null);
      }),
    );
  });

  it("is made in a time that grows with the text, whatever stands in it", () => {
    const milliseconds = (text: string) => {
      const startedAt = performance.now();
      toPlainLine(text);
      return performance.now() - startedAt;
    };
    for (const piece of [
      "\u001b]",
      "\u009d",
      "\u001b[1",
      "\u001b ",
      "\u009d\u001b",
      " ",
      "e\u0301",
    ])
      expect(milliseconds(piece.repeat(200_000)), JSON.stringify(piece)).toBeLessThan(5_000);
  });
});

it("JSON that is shown is the same JSON, of characters that can be seen", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(hostile, steering)), (texts) => {
      const json = toVisibleJson(JSON.stringify(texts));
      expect(json).not.toMatch(INVISIBLE);
      expect(JSON.parse(json)).toEqual(texts);
    }),
  );
  expect(toVisibleJson('"a\u009b31m"')).toBe('"a\\u009b31m"');
});

describe("an address", () => {
  const BOTH = ["https:", "http:"] as const;

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
    expect(toUrl("http://example.org", BOTH)).toBe("http://example.org/");
  });

  it("of any kind is plain characters, of an allowed scheme, without credentials, and its own address", () => {
    const known = [
      "https://",
      "HTTP://",
      "javascript:",
      "user:pw@",
      "example.org",
      "/a b",
      "#\u202e",
      '"<>',
    ];
    const piece = fc.oneof(fc.constantFrom(...known), fc.string({ unit: "binary", maxLength: 8 }));
    const rest = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    let published = 0;
    fc.assert(
      fc.property(fc.constantFrom("", "https://example.org/"), rest, (start, end) => {
        const url = toUrl(start + end, BOTH);
        if (url === null) return;
        published += 1;
        expect(url).toMatch(/^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x7e]+$/);
        expect(url.length).toBeLessThanOrEqual(256);
        expect(new URL(url)).toMatchObject({ username: "", password: "" });
        expect(toUrl(url, BOTH)).toBe(url);
      }),
      { numRuns: 400 * SOAK },
    );
    expect(published).toBeGreaterThan(100);
  });
});

/** Names that validators of a live cluster gave themselves in 2021. */
function readRecorded(): string[] {
  type Recorded = { account: { data: { parsed?: { info: { configData?: { name?: unknown } } } } } };
  const file = readFileSync(new URL("info/validatorInfo.testnet.2021-10.json", RECORDED), "utf8");
  const [{ response }] = JSON.parse(file) as [{ response: { body: { result: Recorded[] } } }];
  const names = response.body.result.map(
    ({ account }) => account.data.parsed?.info.configData?.name,
  );
  return names.filter((name) => typeof name === "string");
}
