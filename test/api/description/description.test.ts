import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { openApiDocument } from "../../../generator/contract/openapi.ts";
import { findExample, toExampleTarget } from "../../../generator/contract/openapi-operations.ts";
import type { Operation } from "../../../generator/contract/operation.ts";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { PARAMETERS } from "../../../generator/contract/parameters.ts";
import { snapshot } from "../../../generator/service/observing.ts";
import { readSettings } from "../../../proxy/settings.ts";
import { startServer } from "../../../proxy/server.ts";
import { toDeclarations } from "../../../public/vite-programs.config.ts";
import { createSchemaCheck } from "../../proxy/fuzz/json-schema.ts";
import { compile } from "../_compile.ts";
import { MINUTE, openStage, timeAt } from "../../service/harness.ts";

const EXAMPLES_FILE = "../../../generator/contract/openapi-examples.json";
/** It is served compressed: what a client fetches once, and what a reader's memory holds. */
const SERVED_MAX_BYTES = 320_000;
const COMPRESSED_MAX_BYTES = 50_000;
/** Of a feed, in either form: one entry shows what all look like. */
const FEED_ENTRIES = 1;
const ALL: readonly Operation[] = Object.values(OPERATIONS);

interface OpenApi {
  paths: Record<string, unknown>;
  components: { schemas: { Stake: { properties: Record<string, unknown> } } };
}

const run = promisify(execFile);

/** What the program reads at some of the endpoints: the examples show the same. */
const FIELDS = {
  "/api/v1/epochs/{epoch}/events": 5,
  "/api/v1/validators": ["8105055927139411", "51024729634097974"],
  "/api/v1/validators/{votePubkey}": "credits",
  "/api/v1/validators/{votePubkey}/location": "London",
  "/api/v1/changes": 2,
  "/api/v1/search": PARAMETERS.votePubkey.example,
  "/api/v1/wallets/{pubkey}": "withdrawAuthority",
  "/api/v1/wallets": 84,
  "/api/v1/stats/rugs-per-epoch": 4,
  "/api/v1/epoch": 36_000,
  "/api/v1/status": Array.from({ length: 9 }, () => "ok"),
  "/api/v1/openapi.json": "Rugwatch",
  "/exports/{network}/events.csv": "id",
  "/exports/{network}/events.parquet": "PAR1",
};

let network: Awaited<ReturnType<typeof openExampleNetwork>>;
beforeAll(async () => {
  network = await openExampleNetwork();
});
afterAll(() => network.close());

const EXAMPLE_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

describe("the examples of the API's description", () => {
  const findMisfits = createSchemaCheck(openApiDocument());

  // Written anew by `npm test -- test/api/description/description.test.ts --update`.
  it("are what the API answers over the example network", async () => {
    const answers: Record<string, unknown> = {};
    for (const operation of ALL) {
      const response = await fetch(`${network.url}${toExampleTarget(operation)}`);
      expect([operation.operationId, response.status]).toEqual([operation.operationId, 200]);
      const example = await readExample(operation, response);
      if (example !== null) answers[operation.operationId] = example;
    }
    await expect(`${JSON.stringify(answers, null, 2)}\n`).toMatchFileSnapshot(EXAMPLES_FILE);
  });

  it.each(ALL.filter(isText))("fit the schema beside them: $operationId", (operation) => {
    const example = findExample(operation);
    expect(example).not.toBeNull();
    const [mediaType = ""] = (operation.contentType ?? "application/json").split(";");
    const place = [
      "paths",
      operation.path,
      "get",
      "responses",
      "200",
      "content",
      mediaType,
      "schema",
    ];
    expect(findMisfits(place, example?.value)).toEqual([]);
  });

  it.each(ALL)("show something of a list: $operationId", (operation) => {
    const { data, items } = (findExample(operation)?.value ?? {}) as {
      data?: unknown;
      items?: unknown;
    };
    expect(data ?? items).not.toEqual([]);
  });

  it("leave the description small enough to be read at once", () => {
    const served = JSON.stringify(openApiDocument());
    expect(Buffer.byteLength(served)).toBeLessThan(SERVED_MAX_BYTES);
    expect(gzipSync(served).byteLength).toBeLessThan(COMPRESSED_MAX_BYTES);
  });
});

describe("a client made from the served description", () => {
  let served: OpenApi;
  beforeAll(async () => {
    served = (await (await fetch(`${network.url}/api/v1/openapi.json`)).json()) as OpenApi;
  });

  it("compiles, strictly", async () => {
    const text = await readFile(CLIENT_PROGRAM, "utf8");
    expect(compile({ text, declarations: await toDeclarations(served) })).toEqual([]);
  });

  it("is what the README shows, and has no fields that the API lacks", async () => {
    const readme = await readFile(new URL("../../../README.md", import.meta.url), "utf8");
    const text = /```ts\n(import createClient[^]*?)```/.exec(readme)?.[1] ?? "";
    expect(text).not.toBe("");
    const declarations = await toDeclarations(served);
    const read = `${text}data?.data[0]?.effectiveEpoch satisfies number | null | undefined;`;
    expect(compile({ text: read, declarations })).toEqual([]);
    const faulty = read.replace("effectiveEpoch", "effectiveEpochs");
    expect(compile({ text: faulty, declarations })).toEqual([
      expect.stringContaining("Property 'effectiveEpochs' does not exist"),
    ]);
  });

  it("reads a field of every endpoint", async () => {
    const { votePubkey, pubkey, epoch, month } = PARAMETERS;
    const args = [
      CLIENT_PROGRAM,
      network.url,
      votePubkey.example,
      String(epoch.example),
      pubkey.example,
      month.example,
    ];
    const { stdout } = await run(process.execPath, args);
    const fields = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(fields).toSorted()).toEqual(Object.keys(served.paths).toSorted());
    expect(fields).toMatchObject(FIELDS);
  });
});

/** Of a table the head and the first rows are an example. */
const TABLE_LINES = 5;

/** What is shown of an answer: all of it, if it is a text that is no table. */
async function readExample(operation: Operation, response: Response): Promise<unknown> {
  if (!isText(operation)) return null;
  const text = await response.text();
  if (operation.contentType?.startsWith("text/csv") === true)
    return text
      .split(/(?<=\n)/)
      .slice(0, TABLE_LINES)
      .join("");
  if (!response.headers.get("content-type")?.includes("json"))
    return text.replace(/(?<=<\/entry>).*<\/entry>/s, "");
  const body = JSON.parse(text) as Record<string, unknown>;
  if (Array.isArray(body["items"])) return { ...body, items: body["items"].slice(0, FEED_ENTRIES) };
  // Of the events in it one is an example.
  if (operation.operationId === OPERATIONS.rugsPerEpoch.operationId)
    (body as unknown as DocumentOf<"rugsPerEpoch">).meta.standing.worst.splice(1);
  // Entries name endpoints with their ports, which are others each time.
  if (operation.operationId === OPERATIONS.status.operationId)
    Object.assign((body as unknown as DocumentOf<"status">).data.journal ?? {}, {
      hash: EXAMPLE_HASH,
    });
  return operation.operationId === OPERATIONS.openapi.operationId ? withoutPaths(body) : body;
}

/** The description cannot hold itself. */
function withoutPaths(body: Record<string, unknown>): unknown {
  const { title, version } = body["info"] as Record<string, unknown>;
  return { openapi: body["openapi"], info: { title, version }, paths: {} };
}

function isText({ contentType = "application/json" }: Operation): boolean {
  return /json|xml|^text\//.test(contentType);
}

/**
 * The story in which Cobalt Labs rugs in every epoch, and
 * moves from town to town: PARAMETERS has its vote account.
 */
const STORY = { seed: 2, validators: 14 };
const EPOCHS = 4;
const CADENCE = { checkMilliseconds: 15 * MINUTE, snapshotMilliseconds: 30 * MINUTE };

/**
 * Plays the network that the examples of the API's description
 * are answers of, and listens. Equal at every call.
 */
async function openExampleNetwork() {
  const stage = await openStage(STORY);
  await stage.play({ until: timeAt(EPOCHS - 0.2), cadence: CADENCE, publishes: false });
  await stage.clock.sleepUntil(timeAt(EPOCHS - 0.2));
  await snapshot(stage.command);
  // Its changes are searched once nodes list them.
  await stage.clock.sleepUntil(timeAt(EPOCHS - 0.17));
  await snapshot(stage.command);
  await stage.clock.sleepUntil(timeAt(EPOCHS - 0.15));
  const { publicStore, rpcUrls } = stage.command.settings;
  const server = await startServer({
    settings: {
      ...readSettings({ PORT: "0", RATE_LIMIT_PER_MINUTE: "1000" }),
      publicStore,
      rpcUrls,
    },
    objects: stage.publicStore,
    now: stage.clock.now,
    log: ({ level, message }) => {
      if (level === "error") throw new Error(message);
    },
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      await stage.close();
    },
  };
}

/** The program that is compiled against the generated types. */
const CLIENT_PROGRAM = join(import.meta.dirname, "client-program.ts");
