import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Change } from "../../../generator/contract/change.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { OBJECTS } from "../../../generator/contract/objects.ts";
import { openApiDocument } from "../../../generator/contract/openapi.ts";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { toDeclarations } from "../../../public/vite-programs.config.ts";
import { makeDirectory } from "../../store/directory.ts";
import { openApi, readAnswer, type Api } from "../../api/_api.ts";
import { compile } from "./compile.ts";

const EXAMPLES = join(import.meta.dirname, "../../../public/examples");
const run = promisify(execFile);
/** RUGWATCH_TEST_PYTHON names a Python that has DuckDB. */
const PYTHON = process.env["RUGWATCH_TEST_PYTHON"] ?? "python3";
const hasDuckDb = spawnSync(PYTHON, ["-c", "import duckdb"]).status === 0;

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

/** What of the log a relay shows; `edition` differs from the API's where it is given. */
interface Shown {
  head: number;
  edition?: string;
}

/** Relays to the API. Refuses each address once, and shows the log of changes as it was. */
async function openRelay(shown: Shown | null = null) {
  const refused = new Set<string>();
  const server = createServer(
    (request, response) =>
      void answer(request.url ?? "").then(({ status, headers, body }) =>
        response.writeHead(status, headers).end(body),
      ),
  );
  async function answer(path: string) {
    if (!refused.has(path)) {
      refused.add(path);
      return { status: 429, headers: { "retry-after": "0" }, body: "" };
    }
    const original = await api.request(path);
    const bytes = Buffer.from(await original.arrayBuffer());
    const isLog = shown !== null && path.startsWith("/api/v1/changes");
    return { status: original.status, headers: {}, body: isLog ? toEarlier(bytes, shown) : bytes };
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function toEarlier(bytes: Buffer, { head, edition }: Shown): string {
  const { data, meta } = OPERATIONS.changes.document.parse(JSON.parse(bytes.toString()));
  const earlier = data.filter(({ seq }) => seq <= head);
  const next = Math.min(meta.next, head);
  return JSON.stringify({
    data: earlier,
    meta: { ...meta, head, next, edition: edition ?? meta.edition },
  });
}

async function open() {
  const { directory, remove } = await makeDirectory();
  onTestFinished(remove);
  return {
    directory,
    /** @returns what it prints, by lines */
    run: async (program: string, { url, args = [] }: { url: string; args?: string[] }) => {
      const command = program.endsWith(".py") ? PYTHON : process.execPath;
      const { stdout } = await run(command, [join(EXAMPLES, program), ...args], {
        cwd: directory,
        env: { PATH: process.env["PATH"], RUGWATCH: url },
      });
      return stdout.split("\n").filter((line) => line !== "");
    },
  };
}

async function readLog() {
  const log: Change[] = [];
  for (;;) {
    const response = await api.request(`/api/v1/changes?limit=1000&after=${log.length}`);
    const { data, meta } = await readAnswer(response, OPERATIONS.changes.document);
    log.push(...data);
    if (meta.next === meta.head) return { log, head: meta.head };
  }
}

async function readEvents(): Promise<Map<string, CommissionEvent>> {
  const { validators, unlisted } = api.indexes.mainnet;
  const lists = await Promise.all(
    [...validators, ...unlisted].map(async ({ votePubkey }) => {
      const response = await api.request(`/api/v1/validators/${votePubkey}/events`);
      return (await readAnswer(response, OBJECTS.validatorEvents.schema)).data;
    }),
  );
  return new Map(lists.flat().map((event) => [event.id, event]));
}

describe("the examples", () => {
  it.each(["alert.ts", "follow.ts", "apy.ts"])(
    "compile strictly with the types that the site has: %s",
    async (program) => {
      const text = await readFile(join(EXAMPLES, program), "utf8");
      const declarations = await toDeclarations(openApiDocument());
      expect(compile({ text, declarations })).toEqual([]);
    },
  );

  it("follow the log to an exact copy, from whatever it was when they stopped", async () => {
    const { head } = await readLog();
    const { directory, run } = await open();
    const copy = async () =>
      JSON.parse(await readFile(join(directory, "events.json"), "utf8")) as {
        after: number;
        events: Record<string, CommissionEvent>;
      };
    for (const shown of [Math.floor(head / 2), head, head]) {
      await run("follow.ts", { url: await openRelay({ head: shown }) });
      expect((await copy()).after).toBe(shown);
    }
    const events = Object.fromEntries(await readEvents());
    expect((await copy()).events).toEqual(events);
    // Of another past, it keeps nothing.
    await run("follow.ts", { url: await openRelay({ head: 1, edition: "another" }) });
    expect(Object.keys((await copy()).events)).toHaveLength(1);
    await run("follow.ts", { url: await openRelay() });
    expect((await copy()).events).toEqual(events);
  });

  it("alert of each RUG once, and of none that was there before", async () => {
    const { log, head } = await readLog();
    const rugs = log.filter(
      ({ kind, event }) => kind === "event" && event.severity === "RUG" && event.confirmed,
    );
    const { seq, event } = rugs.at(-1)!;
    const { run } = await open();
    const alert = async (shown: Shown) =>
      run("alert.ts", { url: await openRelay(shown), args: [event.votePubkey] });
    expect(await alert({ head: seq - 1 })).toEqual([]);
    const told = await alert({ head });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(new RegExp(`^RUG: .*event ${event.id}$`));
    expect(await alert({ head })).toEqual([]);
    // The same events in another past are no news, and what it lacks no longer stands.
    expect(await alert({ head, edition: "another" })).toEqual([]);
    expect(await alert({ head: seq - 1, edition: "a third" })).toEqual([
      expect.stringMatching(new RegExp(`^NO LONGER STANDS: .*event ${event.id}$`)),
    ]);
  });

  it("compute what a delegator earns in a year", async () => {
    const { data: epochs } = await readAnswer(
      await api.request("/api/v1/epochs"),
      OBJECTS.epochs.schema,
    );
    const { validators } = api.indexes.mainnet;
    const known = validators.filter(({ appliedCommission }) => appliedCommission !== null);
    const [some] = known.filter(({ appliedCommission }) => appliedCommission! > 0);
    const all = known.find(({ appliedCommission }) => appliedCommission === 100);
    const nobody = "1".repeat(32);
    const args = [some!, all!].map(({ votePubkey }) => votePubkey).concat(nobody);
    const { run } = await open();
    const lines = await run("apy.ts", { url: await openRelay(), args });
    const row = epochs.findLast(
      ({ supply, activeStake }) => supply !== null && activeStake !== null,
    );
    const gross =
      (Number(row!.supply!.lamports) * row!.inflationRate!) / Number(row!.activeStake!.lamports);
    const net = gross * (1 - some!.appliedCommission! / 100);
    const percent = 100 * ((1 + net / row!.epochsPerYear!) ** row!.epochsPerYear! - 1);
    expect(lines.toSorted()).toEqual(
      [
        `${some!.name ?? some!.votePubkey}: ${percent.toFixed(2)} %`,
        `${all!.name ?? all!.votePubkey}: 0.00 %`,
        `${nobody}: no validator of mainnet`,
      ].toSorted(),
    );
  });

  it.skipIf(!hasDuckDb)(
    "ask DuckDB who rugged most often, if the Python that RUGWATCH_TEST_PYTHON names has it",
    async () => {
      const csv = await (await api.request("/exports/mainnet/events.csv")).text();
      const rows = parse(csv, { columns: true }) as unknown as Record<string, string>[];
      const rugs = rows.filter((row) => row["severity"] === "RUG" && row["replacedBy"] === "");
      const byVote = Map.groupBy(rugs, (row) => row["votePubkey"] ?? "");
      const expected = [...byVote]
        .toSorted(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
        .slice(0, 10)
        .map(([vote, of]) => {
          const epochs = of.map((row) => Number(row["epoch"]));
          return `${vote}: ${of.length} in epochs ${Math.min(...epochs)} to ${Math.max(...epochs)}`;
        });
      const { run } = await open();
      expect(await run("rugs.py", { url: await openRelay() })).toEqual(expected);
      expect(expected.length).toBeGreaterThan(1);
    },
  );

  it("end with the API's own words where it refuses", async () => {
    const { run } = await open();
    const url = await openRelay();
    await expect(run("apy.ts", { url, args: ["abc"] })).rejects.toThrow("400 ");
    await expect(run("alert.ts", { url })).rejects.toThrow("Name the vote accounts");
  });
});
