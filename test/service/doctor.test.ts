import { readdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSystemClock } from "../../generator/service/context.ts";
import { doctor, type Diagnosis } from "../../generator/service/doctor.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { readSettings, diagnoseSettings } from "../../generator/settings/settings.ts";
import type { Simulator } from "../cluster/simulator.ts";
import { readSeries } from "../../generator/journal/series.ts";
import { openStore } from "../../generator/store/open.ts";
import { startSmallSimulator } from "../integration/generator/small-simulator.ts";
import { openServer } from "../rpc/open-server.ts";
import { startServer } from "../rpc/rpc-server.ts";
import { makeDirectory } from "../store/directory.ts";

let simulator: Simulator;
let directory: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  // No endpoint lies or lags there.
  simulator = await startSmallSimulator({
    epochs: 5.1,
    validators: 40,
    stakeAccounts: 240,
    isDated: true,
  });
  ({ directory, remove } = await makeDirectory());
});
afterAll(async () => {
  await simulator.close();
  await remove();
});

function toEnvironment(variables: Record<string, string> = {}): Record<string, string> {
  return {
    RUGWATCH_PUBLIC: `file:${join(directory, "public")}`,
    RUGWATCH_STATE: `file:${join(directory, "state")}`,
    MAINNET_RPC_URLS: simulator.rpcUrls("mainnet").join(","),
    MAINNET_MEV_URL: simulator.mevUrl("mainnet") ?? "none",
    ...variables,
  };
}

const clock = createSystemClock();
const { signal } = new AbortController();

function examine(
  environment: Record<string, string>,
  network: "mainnet" | "all" = "mainnet",
): Promise<Diagnosis> {
  return doctor({ examined: diagnoseSettings(environment), clock, network, signal });
}

function findingsOf({ sections }: Diagnosis, title: string) {
  return sections.find((section) => section.title === title)?.findings ?? [];
}

describe("doctor", () => {
  it("finds all that is needed well on a cluster that is, before the first snapshot, and leaves nothing behind", async () => {
    const diagnosis = await examine(toEnvironment());
    expect(diagnosis).toMatchObject({
      command: "doctor",
      network: "mainnet",
      healthy: true,
      counts: { problem: 0 },
    });
    const wanting = diagnosis.sections
      .flatMap(({ findings }) => findings)
      .filter(({ level }) => level !== "ok");
    // Without databases, and with one older node.
    const older = expect.stringMatching(/^http/) as string;
    expect(wanting.map(({ subject }) => subject)).toEqual(["GEO_CITY_MMDB", "GEO_ASN_MMDB", older]);
    const titles = diagnosis.sections.map(({ title }) => title).join();
    expect(titles).toBe("Settings,Stores,Location databases,Alerts,mainnet");
    const witnesses = findingsOf(diagnosis, "mainnet").find(
      ({ subject }) => subject === "witnesses",
    );
    expect(witnesses).toMatchObject({
      level: "ok",
      found: "3 of 3 origins can be used: one of them may lie",
    });
    expect(await readdir(directory)).toEqual([]);
  });

  it("looks at every network, each by itself", async () => {
    const gone = await startServer(() => undefined);
    await gone.close();
    // Of several addresses each is tried less often.
    const addresses = [1, 2].map((path) => `${gone.url}/${path}`).join(",");
    const dead = {
      TESTNET_RPC_URLS: addresses,
      ALPENGLOW_RPC_URLS: addresses,
      TESTNET_MEV_URL: gone.url,
    };
    const diagnosis = await examine(toEnvironment(dead), "all");
    expect(diagnosis).toMatchObject({ network: "all", healthy: false });
    expect(findingsOf(diagnosis, "mainnet").every(({ level }) => level !== "problem")).toBe(true);
    for (const network of ["testnet", "alpenglow"]) {
      const problems = findingsOf(diagnosis, network).filter(({ level }) => level === "problem");
      const found = [
        "getGenesisHash: ECONNREFUSED",
        "0 of 1 origins can be used: nothing is observed",
      ];
      expect([...new Set(problems.map((problem) => problem.found))]).toEqual(found);
    }
  });

  it("insists on the genesis that the journal began with, and changes nothing in the stores", async () => {
    const settings = readSettings(toEnvironment());
    await snapshot({ settings, clock, network: "mainnet", newSeries: false, signal });
    const stateStore = openStore(settings.stateStore);
    const before = await readdir(directory, { recursive: true });
    const published = { level: "ok", subject: "published" };
    expect(findingsOf(await examine(toEnvironment()), "mainnet").at(-1)).toMatchObject(published);
    expect(await readdir(directory, { recursive: true })).toEqual(before);

    const [series] = await readSeries(stateStore, "mainnet");
    const other = { ...series, genesis: "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY" };
    const body = new TextEncoder().encode(JSON.stringify(other));
    await stateStore.put("series/mainnet/0001.json", body, {
      expect: "any",
      contentType: "application/json",
    });
    const refused = { level: "problem", found: "another cluster: mainnet, not testnet" };
    expect(findingsOf(await examine(toEnvironment()), "mainnet")[0]).toMatchObject(refused);
  });

  it("says what is wrong with the settings, and looks no further where they cannot be used", async () => {
    const diagnosis = await examine(toEnvironment({ MAINNET_RPC_URLS: "hunter2" }));
    expect(diagnosis).toMatchObject({ healthy: false, counts: { problem: 1 } });
    expect(diagnosis.sections.map(({ title }) => title)).toEqual(["Settings"]);
    expect(JSON.stringify(diagnosis)).not.toContain("hunter2");
  });

  it("asks all at once: no server answers before each was asked", async () => {
    const waiting: ServerResponse[] = [];
    const answer = (_: unknown, response: ServerResponse) => {
      waiting.push(response);
      if (servers.every(({ asked }) => asked.length > 0))
        for (const one of waiting.splice(0)) one.writeHead(404).end();
    };
    const servers = await Promise.all([0, 1, 2, 3].map(() => openServer(answer)));
    const [first, second, testnet, vendor] = servers.map(({ url }) => url);
    const urls = {
      MAINNET_RPC_URLS: `${first},${second}`,
      TESTNET_RPC_URLS: testnet!,
      ALPENGLOW_RPC_URLS: testnet!,
    };
    const diagnosis = JSON.stringify(
      await examine(toEnvironment({ ...urls, TESTNET_MEV_URL: vendor! }), "all"),
    );
    expect(diagnosis).toContain("getGenesisHash: HTTP status 404");
    expect(diagnosis).not.toMatch(/ in time|no end after/);
  });

  it("waits for a server that never answers no longer than for one answer", async () => {
    const hole = await openServer(() => undefined);
    const examined = diagnoseSettings(
      toEnvironment({ MAINNET_RPC_URLS: hole.url, MAINNET_MEV_URL: hole.url }),
    );
    const limits = { answerMilliseconds: 50, checkMilliseconds: 10_000 };
    const diagnosis = await doctor({ examined, clock, network: "mainnet", signal, limits });
    const findings = findingsOf(diagnosis, "mainnet").map(
      ({ level, found }) => `${level} ${found}`,
    );
    expect(findings.slice(0, 3)).toEqual([
      "problem getGenesisHash: no answer in time",
      "problem 0 of 1 origins can be used: nothing is observed",
      expect.stringMatching(/^warning http.* MEV list: no answer in time$/),
    ]);
  });

  it("ends when it is stopped", async () => {
    const stopped = AbortSignal.abort(new Error("stopped by SIGINT"));
    const examined = diagnoseSettings(toEnvironment());
    const work = doctor({ examined, clock, network: "mainnet", signal: stopped });
    await expect(work).rejects.toThrow("stopped by SIGINT");
  });
});
