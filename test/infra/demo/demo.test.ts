import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildSite } from "../../../infra/demo/demo.ts";
import { answerMevValidators, answerValidatorHistory } from "../../cluster/rpc/mev-api.ts";
import { startSimulator } from "../../cluster/simulator.ts";
import { ENDPOINTS } from "../../cluster/options.ts";
import { clear, createStoryClock, openStory } from "../../../infra/demo/story.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { makeDirectory } from "../../store/directory.ts";
import { makeCluster, send, timeAt } from "./_cluster.ts";

describe("the site of the demo", () => {
  async function build(below: string, signal = new AbortController().signal) {
    const { directory: place, remove } = await makeDirectory();
    onTestFinished(remove);
    await writeFile(join(place, "file"), "");
    const directory = join(place, below);
    const said: string[] = [];
    const built = await buildSite({ directory, signal, say: (line) => void said.push(line) });
    return { directory, built, said };
  }

  it("is built into the directory asked for, without a style or script in its page", async () => {
    const { directory, built, said } = await build("site");
    expect({ built, said }).toEqual({ built: directory, said: ["Building the site."] });
    const page = await readFile(join(directory, "index.html"), "utf8");
    expect(page).toMatch(/<script type="module"[^>]* src="\/assets\/index-[\w-]{8}\.js">/);
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
  });

  it("is left out, and why is said, where it cannot be built", async () => {
    const { built, said } = await build("file/site");
    expect(built).toBeNull();
    expect(said.at(-1)).toMatch(
      /^The demo runs without the site, because the build failed: .*ENOTDIR/s,
    );
  });

  it("is not waited for by a demo that was stopped", async () => {
    await expect(
      build("site", AbortSignal.abort(new Error("stopped by SIGINT"))),
    ).rejects.toThrow();
  });
});

describe("the simulator's servers", () => {
  it("answer what the cluster does, at an origin for each endpoint, and the vendor's API", async () => {
    const at = timeAt(1.25);
    const cluster = makeCluster();
    const simulator = await startSimulator({ clusters: [cluster], now: () => at, isDated: true });
    onTestFinished(() => simulator.close());
    const urls = simulator.rpcUrls("mainnet");
    expect(new Set(urls.map((url) => new URL(url).origin)).size).toBe(ENDPOINTS.length);
    const body = '{"jsonrpc":"2.0","id":1,"method":"getVoteAccounts"}';
    for (const [place, endpoint] of ENDPOINTS.entries()) {
      const response = await fetch(urls[place]!, { method: "POST", body });
      expect(await response.text()).toBe(send(cluster, body, { at, endpoint }));
      expect(response.headers.get("date")).toBe(new Date(at).toUTCString());
    }
    const mev = `${simulator.mevUrl("mainnet")}/api/v1`;
    const { moment } = cluster.at(at);
    const { address } = cluster.members[0]!.vote;
    const told = async (path: string, init: object = {}) => (await fetch(mev + path, init)).text();
    const closed = { method: "POST", body: '{"epoch":1060}' };
    expect(await told("/validators")).toBe(answerMevValidators(cluster, moment, null).body);
    expect(await told("/validators", closed)).toBe(
      answerMevValidators(cluster, moment, closed.body).body,
    );
    const { body: history } = answerValidatorHistory(cluster, moment, address);
    expect(await told(`/validator_history/${address}`)).toBe(history);
    expect(simulator.mevUrl("alpenglow")).toBeNull();
    const statuses = [
      [urls[0]!, {}, 405],
      [`${mev}/validators`, { method: "PUT" }, 405],
      [`${mev}/validator_history/${address}`, { method: "POST" }, 405],
      [`${simulator.url}/nowhere`, {}, 404],
      [urls[0]!, { method: "POST", body: "x".repeat(70_000) }, 413],
    ] as const;
    for (const [url, init, status] of statuses)
      expect((await fetch(url, init)).status, url).toBe(status);
  });
});

const NOW = Date.UTC(2026, 10, 20);
const DAY = 86_400_000;

/** A story's clock in a world in which sleeping takes no time to test. */
function createClock() {
  let time = NOW;
  const naps: number[] = [];
  const world = {
    now: () => time,
    timer: () => time - NOW,
    sleepUntil(until: number, signal?: AbortSignal) {
      signal?.throwIfAborted();
      naps.push(until - time);
      time = Math.max(time, until);
      return Promise.resolve();
    },
  };
  return {
    clock: createStoryClock({ world, startsAt: NOW - DAY }),
    naps,
    pass: (some: number) => void (time += some),
  };
}

describe("a stored story", () => {
  const request = { seed: 1, validators: 200, stakeAccounts: 4000 };
  const open = (store: ObjectStore, changes: object = {}) =>
    openStory(store, { ...request, ...changes }, NOW);

  it("continues from its own start, until it is cleared", async () => {
    const store = openMemoryStore();
    const begun = { ...request, startsAt: NOW - DAY };
    expect([await openStory(store, request, NOW - DAY), await open(store)]).toEqual([begun, begun]);
    await clear(store);
    expect(await open(store, { seed: 2 })).toEqual({ ...request, seed: 2, startsAt: NOW });
  });

  it("refuses other options, names its own, and says what to do", async () => {
    const store = openMemoryStore();
    await open(store);
    const complaint =
      /holds a story with other options: --seed 1, --stake-accounts 4000\. Use the same options, or add --fresh/;
    await expect(open(store, { seed: 2, stakeAccounts: 5000 })).rejects.toThrow(complaint);
  });

  it("refuses one of an older version", async () => {
    const store = openMemoryStore();
    await open(store);
    const { body } = (await store.get("demo/story.json"))!;
    const older = { ...(JSON.parse(new TextDecoder().decode(body)) as object), plot: 1 };
    const how = { expect: "any", contentType: "application/json" } as const;
    await store.put("demo/story.json", Buffer.from(JSON.stringify(older)), how);
    await expect(open(store)).rejects.toThrow(/older version\. Run npm run demo -- --fresh/);
  });
});

describe("a story's clock", () => {
  it.each([
    ["begins where the story does, and goes as the world's does", null, NOW - DAY, 1500, 1500],
    ["tells whole milliseconds at any speed", 0.3, NOW - DAY, 5, 1],
    ["goes on from where it was when told to begin earlier", 60, NOW - 2 * DAY, 0, 0],
  ])("%s", (_, speed, from, passed, told) => {
    const { clock, pass } = createClock();
    if (speed !== null) clock.play(speed, from);
    pass(passed);
    expect(clock.now()).toBe(NOW - DAY + told);
  });

  it.each([
    ["is at the end of a sleep at once", NOW - DAY + 60_000, NOW - DAY + 60_000, []],
    ["does not go back for a time that has passed", NOW - 2 * DAY, NOW - DAY, []],
    ["waits for the world where it has caught up with it", NOW + 7000, NOW + 7000, [7000]],
  ])("in fast forward %s", async (_, until, now, slept) => {
    const { clock, naps } = createClock();
    clock.fastForward();
    await clock.sleepUntil(until);
    expect(clock.now()).toBe(now);
    expect(naps).toEqual(slept);
  });

  it("in fast forward counts what it jumps over as passed for deadlines and budgets", async () => {
    const { clock, pass } = createClock();
    clock.fastForward();
    await clock.sleepUntil(NOW - DAY + 60_000);
    pass(250);
    expect(clock.timer()).toBe(60_250);
  });

  it("that plays passes so many times faster than the world, whose time calls are given: no deadline comes sooner", async () => {
    const { clock, naps } = createClock();
    clock.play(60, NOW - DAY);
    await clock.sleepUntil(NOW - DAY + 120_000);
    expect([clock.now(), clock.timer(), naps]).toEqual([NOW - DAY + 120_000, 2000, [2000]]);
  });

  it("wakes a sleeper when stopped, with the reason", async () => {
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(createClock().clock.sleepUntil(NOW, stopped)).rejects.toThrow("stopped");
  });
});
