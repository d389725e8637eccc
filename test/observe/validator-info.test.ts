import { describe, expect, it } from "vitest";
import { decodePublicKey } from "../../generator/chain/public-key.ts";
import { RAW_TEXT_MAX } from "../../generator/entries/entry.ts";
import { readValidatorInfo } from "../../generator/observe/validator-info.ts";
import { startNode } from "../rpc/rpc-server.ts";
import { key, readFrom } from "./fixtures.ts";

const CONFIG_PROGRAM = "Config1111111111111111111111111111111111111";
const MARKER = "Va1idator1nfo111111111111111111111111111111";

function manyKeys(): Record<string, unknown> {
  const others = Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, index] as const);
  return { name: "a", ...Object.fromEntries(others) };
}

interface InfoOptions {
  identity?: string;
  signer?: boolean;
  marker?: string;
  owner?: string;
  keys?: number;
  length?: bigint;
  /** Bytes after the JSON. */
  rest?: number;
}

/** As the chain's command line writes it. */
function info(pubkey: string, json: string | Uint8Array, options: InfoOptions = {}) {
  const {
    identity = key(1),
    signer = true,
    marker = MARKER,
    owner = CONFIG_PROGRAM,
    keys = 2,
  } = options;
  const text = Buffer.from(json);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(options.length ?? BigInt(text.length));
  const data = Buffer.concat([
    Uint8Array.of(keys),
    decodePublicKey(marker),
    Uint8Array.of(0),
    decodePublicKey(identity),
    Uint8Array.of(signer ? 1 : 0),
    length,
    text,
    Buffer.alloc(options.rest ?? 50),
  ]);
  return {
    pubkey,
    account: { owner, data: [data.toString("base64"), "base64"], lamports: 1, space: data.length },
  };
}

const NOTHING = { name: null, website: null, iconUrl: null };
let params: unknown;

const read = (...accounts: unknown[]) =>
  readFrom({ getProgramAccounts: (asked: unknown) => ((params = asked), accounts) }, (reader) =>
    readValidatorInfo(reader, new Set([key(1), key(2)])),
  );

describe("validator info", () => {
  it("is what the identity signed", async () => {
    const texts = {
      name: "Ex",
      website: "https://example.org",
      iconUrl: "https://example.org/i.png",
    };
    const rows = await read(info(key(50), JSON.stringify({ ...texts, details: "…" })));
    expect(rows).toEqual([{ identity: key(1), account: key(50), ...texts }]);
    const filters = [{ memcmp: { offset: 1, bytes: MARKER, encoding: "base58" } }];
    const slice = { dataSlice: { offset: 0, length: 2048 }, encoding: "base64" };
    expect(params).toEqual([CONFIG_PROGRAM, { commitment: "finalized", ...slice, filters }]);
  });

  it("may fill its account to the last byte", async () => {
    expect(await read(info(key(50), '{"name":"Ex"}', { rest: 0 }))).toMatchObject([{ name: "Ex" }]);
  });

  it("of an impostor, who names an identity without its signature, does not count", async () => {
    const impostor = info(key(40), '{"name":"Impostor"}', { signer: false });
    expect(await read(impostor, info(key(50), '{"name":"Real"}'))).toMatchObject([
      { account: key(50), name: "Real" },
    ]);
  });

  it("of several accounts of an identity is that of the lowest address that can be read, in whatever order", async () => {
    const [unreadable = "", lowest = "", other = ""] = [key(50), key(60), key(70)].sort();
    const accounts = [
      info(other, '{"name":"b"}'),
      info(lowest, '{"name":"a"}'),
      info(unreadable, "a poem"),
    ];
    for (const answer of [accounts, accounts.toReversed()])
      expect(await read(...answer)).toMatchObject([{ account: lowest, name: "a" }]);
  });

  it.each([
    ["values that are no text", '{"name":7,"website":null,"iconUrl":["x"]}', NOTHING],
    ["nothing", "{}", NOTHING],
    [
      "markup and control characters, kept raw",
      '{"name":"<b>\\u0000\\u202e"}',
      { name: "<b>\u0000\u202e" },
    ],
    ["a key twice", '{"name":"a","name":"b"}', { name: "b" }],
    ["an inherited name", '{"__proto__":{"name":"x"}}', { name: null }],
    [
      "keys of others",
      '{"constructor":1,"toString":{},"keybaseUsername":"x","name":"a"}',
      { name: "a" },
    ],
    ["half of a pair of surrogates", '{"name":"a\\ud800b"}', { name: "a\ufffdb" }],
    ["bytes of zero inside", '{"name":"a\\u0000b"}', { name: "a\u0000b" }],
    [
      "deep values",
      `{"name":"a","details":${"[".repeat(1_000)}${"]".repeat(1_000)}}`,
      { name: "a" },
    ],
    ["a hundred thousand keys", JSON.stringify(manyKeys()), { name: "a" }],
    [
      "addresses of any kind, kept raw",
      '{"website":"javascript:alert(1)"}',
      { website: "javascript:alert(1)" },
    ],
  ])("with %s is tolerated", async (_, json, expected) => {
    expect(await read(info(key(50), json))).toMatchObject([expected]);
  });

  it("with addresses never makes anybody fetch them", async () => {
    const site = await startNode({});
    const json = JSON.stringify({ name: "a", website: site.url, iconUrl: `${site.url}/icon.png` });
    await read(info(key(50), json));
    expect(site.asked).toEqual([]);
    await site.close();
  });

  it("is cut to the length an entry keeps, and stays well-formed", async () => {
    const [row] = await read(
      info(key(50), JSON.stringify({ name: "x".repeat(RAW_TEXT_MAX - 1) + "😀".repeat(90) })),
    );
    expect(row?.name).toHaveLength(RAW_TEXT_MAX);
    expect(row?.name?.isWellFormed()).toBe(true);
  });

  it.each([
    ["a poem", info(key(50), "Shall I compare thee")],
    ["a list", info(key(50), '["name"]')],
    ["null", info(key(50), "null")],
    ["deep nesting", info(key(50), "[".repeat(50_000))],
    ["bytes that are no UTF-8", info(key(50), Buffer.from('{"name":"\xff\xfe"}', "latin1"))],
    ["a length that cuts it", info(key(50), '{"name":"x"}', { length: 5n })],
    ["a length of nothing", info(key(50), '{"name":"x"}', { length: 0n })],
    ["a length that takes the zeros behind it", info(key(50), '{"name":"x"}', { length: 20n })],
    ["three keys", info(key(50), "{}", { keys: 3 })],
    ["an address that is none", { ...info(key(50), "{}"), pubkey: "short" }],
    ["nothing", null],
    ["a length beyond the account", info(key(50), "{}", { length: 2n ** 63n })],
    ["one key only", info(key(50), "{}", { keys: 1 })],
    ["another marker", info(key(50), "{}", { marker: key(3) })],
    ["another owner", info(key(50), "{}", { owner: key(3) })],
    ["an identity without vote account", info(key(50), "{}", { identity: key(3) })],
    [
      "two bytes of data",
      { pubkey: key(50), account: { owner: CONFIG_PROGRAM, data: ["AAA=", "base64"] } },
    ],
    [
      "data that was parsed by the node",
      { pubkey: key(50), account: { owner: CONFIG_PROGRAM, data: { parsed: {} } } },
    ],
    ["no account", { pubkey: key(50) }],
  ])("that holds %s is no info, and harms no other", async (_, odd) => {
    const other = info(key(51), '{"name":"other"}', { identity: key(2) });
    expect(await read(odd, other)).toMatchObject([{ name: "other" }]);
  });
});
