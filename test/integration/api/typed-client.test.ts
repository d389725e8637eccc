import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PARAMETERS } from "../../../generator/contract/parameters.ts";
import { toDeclarations } from "../../../public/vite-programs.config.ts";
import { openExampleNetwork } from "../../api/_example-network.ts";
import { compile } from "./compile.ts";

interface OpenApi {
  paths: Record<string, unknown>;
}

const run = promisify(execFile);

/** The program that is compiled against the generated types. */
const CLIENT_PROGRAM = join(import.meta.dirname, "client-program.ts");

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

describe("a client made from the served description", () => {
  let network: Awaited<ReturnType<typeof openExampleNetwork>>;
  let served: OpenApi;
  beforeAll(async () => {
    network = await openExampleNetwork();
    served = (await (await fetch(`${network.url}/api/v1/openapi.json`)).json()) as OpenApi;
  });

  afterAll(() => network.close());

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
