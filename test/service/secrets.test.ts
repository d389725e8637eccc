import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { check, snapshot } from "../../generator/service/observing.ts";
import { deserialize } from "../../generator/journal/serialization.ts";
import { toLine } from "../../generator/commands/report-line.ts";
import type { Report } from "../../generator/service/report.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { ADDRESS_PARTS, echo, LEAK } from "../observe/secret-address.ts";
import { openServer } from "../rpc/open-server.ts";
import type { Asked } from "../rpc/rpc-server.ts";
import { openOwnStage } from "./harness.ts";

type Repeat = (response: ServerResponse, text: string) => unknown;

const REPEATS: [string, Repeat][] = [
  [
    "a JSON-RPC error",
    (response, message) => response.end(JSON.stringify({ error: { code: -32_000, message } })),
  ],
  [
    "an error for good",
    (response, message) => response.end(JSON.stringify({ error: { code: -32_601, message } })),
  ],
  [
    "a JSON-RPC error with a status",
    (response, error) => response.writeHead(400).end(JSON.stringify({ error })),
  ],
  ["a page with status 200", (response, text) => response.end(`<html>${text}</html>`)],
  [
    "a page with status 404",
    (response, text) => response.writeHead(404).end(`<html>${text}</html>`),
  ],
  [
    "JSON of another shape",
    (response, text) => response.end(JSON.stringify({ result: { [text]: text }, id: 1 })),
  ],
  ["a list of names", (response, text) => response.end(JSON.stringify({ [text]: [text] }))],
  [
    "a redirect",
    (r, text) => r.writeHead(302, { location: encodeURI(text), "x-url": encodeURI(text) }).end(),
  ],
  [
    "a name of a packing",
    (r, text) => r.writeHead(200, { "content-encoding": encodeURI(text) }).end("x"),
  ],
];

const NEEDED = ["getGenesisHash", "getHealth", "getEpochInfo", "getVoteAccounts"];

async function startEcho(honest: string, repeat: Repeat, passes: string[]): Promise<string> {
  // Each way to repeat it in another spelling.
  const place = REPEATS.findIndex(([, one]) => one === repeat);
  const serve = async ({ path, headers, body }: Asked, response: ServerResponse) => {
    if (passes.includes(body?.method ?? "")) {
      response.end(
        await (await fetch(honest, { method: "POST", body: JSON.stringify(body) })).text(),
      );
      return;
    }
    const spellings = Object.values(
      echo({ url: path, authorization: headers.authorization ?? "" }),
    );
    repeat(response, spellings[place]!);
  };
  return (await openServer((asked, response) => void serve(asked, response))).url;
}

/** All that a snapshot and a check print and store whose sources repeat what they were asked. */
async function observeAll(repeat: Repeat, passes: string[]): Promise<string[]> {
  const stage = await openOwnStage({ validators: 20 });
  const { settings } = stage.command;
  const url = await startEcho(settings.rpcUrls.mainnet[1] ?? "", repeat, passes);
  const { credentials, path, query, fragment } = ADDRESS_PARTS;
  const address = `${url.replace("//", `//${credentials}@`)}/v2/${path}/?${query}#${fragment}`;
  const command = {
    ...stage.command,
    settings: {
      ...settings,
      rpcUrls: { ...settings.rpcUrls, mainnet: [address, address] },
      mevUrls: { ...settings.mevUrls, mainnet: address },
    },
  };
  const printed: string[] = [];
  for (const run of [snapshot, check]) {
    const outcome = await run(command).catch((error: unknown) => error);
    printed.push(inspect(outcome, { depth: 20, showHidden: true }));
    if (outcome instanceof Error) printed.push(String(outcome.stack));
    else printed.push(toLine(outcome as Report), JSON.stringify(outcome));
  }
  return [...printed, ...(await readAll(stage.publicStore)), ...(await readAll(stage.stateStore))];
}

async function readAll(store: ObjectStore): Promise<string[]> {
  const texts: string[] = [];
  for await (const { key } of store.list("")) {
    const body = (await store.get(key))?.body ?? new Uint8Array();
    texts.push(key, toText(key, body));
  }
  return texts;
}

function toText(key: string, body: Uint8Array): string {
  if (!key.endsWith(".ckpt.zst"))
    return Buffer.from(key.endsWith(".zst") ? zstdDecompressSync(body) : body).toString("utf8");
  const ledger = deserialize(body, { bytesMax: 2 ** 30 });
  return inspect(ledger, { depth: Infinity, maxArrayLength: null, maxStringLength: null });
}

describe("no secret of an address comes out", () => {
  it.each(REPEATS)("when every side source repeats it in %s", async (_, repeat) => {
    const texts = await observeAll(repeat, NEEDED);
    expect(texts.filter((one) => LEAK.test(one))).toEqual([]);
    expect(texts.some((one) => one.includes('"state":"failed"'))).toBe(true);
    expect(texts.some((one) => one.includes('"validators"'))).toBe(true);
  });

  it("when nothing can be observed, and the reason holds it", async () => {
    const texts = await observeAll(REPEATS[0]![1], []);
    expect(texts.filter((one) => LEAK.test(one))).toEqual([]);
    expect(texts.some((one) => one.includes("error -32000"))).toBe(true);
  });
});
