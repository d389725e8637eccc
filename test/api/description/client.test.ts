import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PARAMETERS } from "../../../generator/contract/parameters.ts";
import { openExampleNetwork, type ExampleNetwork } from "./_example-network.ts";
import { CLIENT_PROGRAM, compileClient, toDeclarations } from "./client-types.ts";

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
  "/api/v1/search": PARAMETERS.votePubkey.example,
  "/api/v1/stats/rugs-per-epoch": 4,
  "/api/v1/epoch": 36_000,
  "/api/v1/status": Array.from({ length: 7 }, () => "ok"),
  "/api/v1/openapi.json": "Rugwatch",
  "/exports/{network}/events.csv": "id",
  "/exports/{network}/events.parquet": "PAR1",
};

describe("a client made from the served description", () => {
  let network: ExampleNetwork;
  let served: OpenApi;
  beforeAll(async () => {
    network = await openExampleNetwork();
    served = (await (await fetch(`${network.url}/api/v1/openapi.json`)).json()) as OpenApi;
  });
  afterAll(() => network.close());

  it("compiles, strictly", async () => {
    expect(compileClient(await toDeclarations(served))).toEqual([]);
  });

  it("does not compile while it leaves out an endpoint", async () => {
    const paths = { ...served.paths, "/api/v1/unread": served.paths["/api/v1/epoch"] };
    expect(compileClient(await toDeclarations({ ...served, paths }))).toEqual([
      expect.stringContaining("/api/v1/unread"),
    ]);
  });

  it("does not compile with a type that does not fit", async () => {
    const changed = structuredClone(served);
    changed.components.schemas.Stake.properties["lamports"] = { type: "object" };
    expect(compileClient(await toDeclarations(changed))).toEqual([expect.stringContaining("not assignable")]);
  });

  it("reads a field of every endpoint", async () => {
    const { votePubkey, epoch } = PARAMETERS;
    const args = [CLIENT_PROGRAM, network.url, votePubkey.example, String(epoch.example)];
    const { stdout } = await run(process.execPath, args);
    const fields = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(fields).toSorted()).toEqual(Object.keys(served.paths).toSorted());
    expect(fields).toMatchObject(FIELDS);
  });
});
