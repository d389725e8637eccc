import { Agent } from "undici";
import { describe, expect, it } from "vitest";
import { CALLS_PER_SECOND } from "../../../generator/settings/defaults.ts";
import { entryOf, observe } from "../observing.ts";
import { openNode } from "../../rpc/open-server.ts";
import { CLOCK, INSTEAD, type Methods } from "../../rpc/rpc-server.ts";
import { healthyNode } from "../cluster.ts";
import { createClock, key } from "../fixtures.ts";
import { HEAD, historyNode, KNOWN, read, search, signatureOf } from "./history-node.ts";

/** Resolves every host to the loopback, so that a test server can be a public one. */
const dispatcher = new Agent({
  connect: { lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) },
});
const PUBLIC_CALLS_MAX = 40;
const PACED = new Set(["getSignaturesForAddress", "getFirstAvailableBlock", "getTransaction"]);

/** When one public node was called, in milliseconds since the start. */
async function readPublic({ callsPerSecond, count }: { callsPerSecond: number; count: number }) {
  const clock = createClock();
  const times: number[] = [];
  const startedAt = clock.now();
  const methods: Methods = { ...healthyNode(), ...historyNode(), [CLOCK]: clock.now };
  methods[INSTEAD] = (_, { body }) => {
    if (PACED.has(body?.method ?? "")) times.push(clock.now() - startedAt);
    return false;
  };
  const node = await openNode(methods);
  const { observer } = await observe([], {
    endpoints: [node.url.replace("127.0.0.1", "rpc.example")],
    dispatcher,
    now: clock.now,
    timer: clock.now,
    sleep: clock.sleep,
  });
  const searches = Array.from({ length: count }, (_, index) =>
    search({ authority: key(index + 1) }),
  );
  const observed = await observer.transactions({
    known: KNOWN,
    searches,
    milliseconds: 120_000,
    callsPerSecond,
  });
  return { observed, times };
}

describe("a witness that is asked much", () => {
  it.each([
    [3, 12],
    [10, 12],
    // More often than a public endpoint allows.
    [20, 200],
  ])(
    "is asked %d times a second where that is said, over all methods",
    async (callsPerSecond, count) => {
      const { observed, times } = await readPublic({ callsPerSecond, count });
      expect(entryOf(observed).transactions.map(({ answers }) => answers[0]?.state)).toEqual([
        "ok",
        "ok",
        "ok",
        "ok",
      ]);
      expect(times).toHaveLength(count + 1 + 4);
      expect(times.at(-1)).toBeGreaterThanOrEqual(
        ((times.length - 1) * 1_000) / callsPerSecond - 1,
      );
      expect(times.at(-1)).toBeLessThan((times.length * 1_000) / callsPerSecond);
    },
  );

  it("by default is asked for no more than a public endpoint allows", async () => {
    const { times } = await readPublic({ callsPerSecond: CALLS_PER_SECOND, count: 100 });
    const most = Math.max(
      ...times.map((begin) => times.filter((at) => at >= begin && at < begin + 10_000).length),
    );
    expect(most).toBeLessThanOrEqual(PUBLIC_CALLS_MAX);
  });

  it("on this machine is asked as fast as it answers", async () => {
    const { observer, clock } = await observe([historyNode()]);
    const searches = Array.from({ length: 50 }, (_, index) =>
      search({ authority: key(index + 1) }),
    );
    expect(entryOf(await read(observer, ...searches)).searches).toHaveLength(50);
    expect(clock.slept).toEqual([]);
  });
});

describe("the time of a reading", () => {
  type Answer = (params: unknown) => unknown;

  /** Meanwhile the clock is set forward by an hour. */
  async function readSlowly(
    method: string,
    milliseconds: number,
    { node = historyNode(), count = 1 } = {},
  ) {
    const clock = createClock();
    const startedAt = clock.now();
    let set = 0;
    const slow: Answer = (params) => {
      set = 3_600_000;
      clock.advance(milliseconds);
      return (node[method] as Answer)(params);
    };
    const timing = { now: () => clock.now() + set, timer: clock.now, sleep: clock.sleep };
    const { observer } = await observe([{ ...node, [CLOCK]: clock.now, [method]: slow }], timing);
    const searches = Array.from({ length: count }, (_, index) =>
      search({ authority: key(index + 1) }),
    );
    const entry = entryOf(await read(observer, ...searches));
    return {
      entry,
      startedAt,
      answers: entry.transactions.map((transaction) => transaction.answers[0]),
    };
  }

  it("is when all of it was read, whatever the clock is set to meanwhile", async () => {
    const { entry, startedAt } = await readSlowly("getTransaction", 1_000);
    expect(Date.parse(entry.time)).toBe(startedAt + 4_000);
  });

  it("is enough for what was listed also where not all lists could be read in it", async () => {
    const { entry, answers } = await readSlowly("getSignaturesForAddress", 4_000, { count: 20 });
    const late = entry.searches.flatMap(({ answers: [answer] }) =>
      answer?.state === "failed" ? [answer] : [],
    );
    expect(late.length).toBeGreaterThan(3);
    const reason = expect.stringContaining("no time left to ask") as string;
    for (const one of late) expect(one).toMatchObject({ reason, isRefused: false });
    expect(answers.map((answer) => answer?.state)).toEqual(["ok", "ok", "ok", "ok"]);
  });

  it("that is over leaves what was read, and it is said what is missing", async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({
      signature: signatureOf(index),
      slot: 1_229,
      err: null,
    }));
    const node = { ...historyNode({ rows }), getTransaction: () => null };
    const { entry, answers } = await readSlowly("getTransaction", 10_000, { node });
    expect(entry.searches[0]!.answers).toEqual([{ state: "ok", after: 1_000, upTo: HEAD }]);
    const answered = answers.filter(
      (answer) => answer?.state === "failed" && answer.reason.endsWith("but does not have it"),
    );
    expect(answered.length).toBeGreaterThanOrEqual(5);
    const reason = expect.stringContaining("getTransaction: no time left to ask") as string;
    expect(answers).toContainEqual({ state: "failed", reason });
  });
});
