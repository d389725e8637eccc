import { afterEach, describe, expect, it } from "vitest";
import { describeProxy, createWorld, listen, readBody, readError } from "../_setup.ts";
import { searchDocumentSchema } from "../../../generator/contract/search.ts";
import { makeIndex, makeMainnet, makeValidator, publish, toPubkey } from "../fixtures.ts";
import { HOSTILE_PATHS, HOSTILE_TEXTS } from "../fuzz/hostile.ts";
import { exchange } from "./_raw.ts";

const PROTOTYPE_NAMES = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf", "prototype"];
/** A key of the public store that a request may lead to. */
const KEY = /^api\/v1\/(?:mainnet|testnet|alpenglow)\/(?:[\w-]+\/)*[\w-]+\.json$/;

describeProxy("a path that leads elsewhere", (open) => {
  const inPath = HOSTILE_TEXTS.map((text) => encodeURIComponent(text.toWellFormed()));
  const paths = [
    ...HOSTILE_PATHS.filter((path) => path.startsWith("/")),
    ...inPath.map((text) => `/api/v1/validators/${text}`),
    ...inPath.map((text) => `/api/v1/epochs/${text}/events`),
    ...inPath.map((text) => `/${text}/v1/epoch`),
  ];

  it("reads nothing but the documents of the API", async () => {
    const { world, request } = await open();
    for (const path of paths) {
      const response = await request(path);
      expect(response.status, path).toBeLessThan(500);
      expect(await response.text(), path).not.toContain("root:");
    }
    expect(world.reads.length).toBeGreaterThan(0);
    expect(world.reads.filter((key) => !KEY.test(key))).toEqual([]);
  });
});

describeProxy("the name of something that every object has", (open) => {
  it.each(PROTOTYPE_NAMES)("is no parameter, network, severity or path: %s", async (name) => {
    const { request } = await open();
    expect((await request(`/api/v1/validators?limit=1&${name}=x&${name}[limit]=0`)).status).toBe(200);
    await readError(await request(`/api/v1/validators?network=${name}`), 400, "invalid_network");
    await readError(await request(`/api/v1/events?severity=${name}`), 400, "invalid_parameter");
    await readError(await request(`/api/v1/validators/${name}`), 400, "invalid_pubkey");
    await readError(await request(`/api/v1/epochs/${name}/events`), 400, "invalid_parameter");
    await readError(await request(`/api/v1/${name}`), 404, "not_found");
  });
});

describeProxy("a number", (open) => {
  const spellings = [
    "1e1",
    "+1",
    "-1",
    "-0",
    "01",
    "1.0",
    "0x1",
    " 1",
    "1 ",
    "1_0",
    "１",
    "٣",
    "",
    "NaN",
    "Infinity",
    "true",
    "1,2",
  ];
  it.each([...spellings, "9007199254740992", "9".repeat(400)])("has one spelling, which is not %j", async (text) => {
    const { request } = await open();
    const value = encodeURIComponent(text);
    await readError(await request(`/api/v1/validators?limit=${value}`), 400, "invalid_parameter");
    await readError(await request(`/api/v1/stats/rugs-per-epoch?offset=${value}`), 400, "invalid_parameter");
    if (text !== "") await readError(await request(`/api/v1/epochs/${value}/events`), 400, "invalid_parameter");
  });
});

describeProxy("a query that is no query", (open) => {
  it.each([
    "?",
    "??",
    "?&&=&",
    "?=",
    "?%ZZ",
    "?%ZZ=%ZZ",
    "?a",
    "?limit",
    "?a=%",
    "?;limit=0",
    "?LIMIT=0",
    "?limit%00=0",
  ])("has an answer: %s", async (query) => {
    const { request } = await open();
    const response = await request(`/api/v1/validators${query}`);
    if (query === "?limit") await readError(response, 400, "invalid_parameter");
    else expect(response.status).toBe(200);
  });

  it.each(["limit=1&limit=1", "limit=1&limit=0", "limit=1&%6cimit=2", "page=1&limit=1&page=1"])(
    "is refused if a parameter is in it twice: %s",
    async (query) => {
      const { request } = await open();
      await readError(await request(`/api/v1/validators?${query}`), 400, "invalid_parameter");
    },
  );
});

describeProxy("a text to search for", (open) => {
  const NAMES = ["Café", "ﬁnch", "😀😀 Stake", "İstanbul", "ΟΔΟΣ", "(a+)+$", ".*"];
  const published = [
    publish("index", {}, makeIndex({ validators: NAMES.map((name, index) => makeValidator(index + 1, { name })) })),
  ];

  it.each([
    ["composed", "Café", "Café"],
    ["in pieces", "Cafe\u0301", "Café"],
    ["in other case", "CAFÉ", "Café"],
    ["of emoji", "😀😀", "😀😀 Stake"],
    ["with a final sigma", "οδος", "ΟΔΟΣ"],
    ["with a sigma inside", "οδοσ", "ΟΔΟΣ"],
    ["that is a regular expression", "(a+)+$", "(a+)+$"],
    ["that is any text for a regular expression", ".*", ".*"],
    ["with a percent sign that escapes nothing", "%ZZ", null],
    ["that only looks the same", "Cаfе", null],
    ["of null bytes", "\0\0", null],
    ["of marks alone", "\u0301".repeat(500), null],
    ["of 2,000 letters", "a".repeat(2_000), null],
  ])("finds what it names: %s", async (_, text, name) => {
    const { request } = await open({ published });
    const response = await request(`/api/v1/search?q=${encodeURIComponent(text)}`);
    const { data, meta } = await readBody(response, searchDocumentSchema);
    expect(data.map((found) => found.name)).toEqual(name === null ? [] : [name]);
    expect(meta.query).toBe(text.normalize("NFC"));
  });

  it.each(["", "a", "😀", "  ", "\u00a0a\u00a0", "e\u0301", "\uFEFFa\uFEFF"])(
    "has two code points at least: %j",
    async (text) => {
      const { request } = await open({ published });
      await readError(await request(`/api/v1/search?q=${encodeURIComponent(text)}`), 400, "invalid_parameter");
    },
  );

  it.each(["%ed%a0%80%ed%a0%80", "%ff%fe", "%c0%af%c0%af", "%f8%88%80%80%80", "%80%80", "%e0%80%ae%e0%80%ae"])(
    "need not be UTF-8 to have an answer: %s",
    async (bytes) => {
      const { request } = await open({ published });
      const response = await request(`/api/v1/search?q=${bytes}`);
      const { data, meta } = await readBody(response, searchDocumentSchema);
      expect(data).toEqual([]);
      expect(meta.query.isWellFormed()).toBe(true);
    },
  );
});

describe("a bug", () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });

  it("tells a client nothing of what the proxy is made of or where it lies", async () => {
    const made = await createWorld(makeMainnet(), { perMinute: 1_000, trusted: { by: "nothing" } });
    const server = await listen(made);
    closers.push(() => server.close());
    // Whatever asks for the time gets the bug.
    Object.defineProperty(made.world, "now", {
      get: () => {
        throw new TypeError("a secret word", { cause: new Error("in /srv/secret.ts") });
      },
    });
    const target = `/api/v1/validators/${toPubkey(1)}`;
    const { answers } = await exchange(server.url, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([500]);
    expect(JSON.parse(answers[0]!.body)).toEqual({
      error: {
        code: "internal_error",
        message: "Something went wrong on our side, and nothing is wrong with the request: try again later.",
      },
    });
    expect(JSON.stringify(answers[0]!.headers)).not.toMatch(/secret|TypeError|\.ts\b|node|h3|srvx/i);
    expect(made.world.log).toMatchObject([{ level: "error", error: new TypeError("a secret word") }]);
  });
});
