import { beforeAll, describe, expect, it } from "vitest";
import type { StatusSource } from "../../../generator/ledger/ledger.ts";
import { RpcFailure } from "../../cluster/rpc/failure.ts";
import type { Fault } from "../../service/upstream.ts";
import {
  epochChanging,
  isAsking,
  keepRows,
  lagging,
  mevDown,
  olderVotes,
  onBoth,
  onFirst,
  rugOfAll,
  stakesRefused,
  stuck,
  toHttp,
  toResult,
} from "./faults.ts";
import { openSuffering, type Look, type Suffering } from "./suffering.ts";

const ANOTHER_GENESIS = toResult("EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG");
const NO_METHOD = new RpcFailure(-32_601, "Method not found");

// Epochs end at minutes 120 and 240; the trick there
// must be seen, so no fault hits all endpoints then.
let story: Suffering;
beforeAll(async () => {
  story = await openSuffering(35);
  return () => story.close();
});

describe("side sources that fail", () => {
  let suffered: Awaited<ReturnType<Suffering["suffer"]>>;
  beforeAll(async () => {
    const faults = [
      onBoth("getClusterNodes", NO_METHOD),
      onBoth("getProgramAccounts Config1111111111111111111111111111111111111", NO_METHOD),
      onBoth("getBlockProduction", NO_METHOD),
      stakesRefused(NO_METHOD),
      mevDown(),
    ];
    const fault: Fault = (asked) =>
      faults.map((one) => one(asked)).find((answer) => answer !== undefined);
    suffered = await story.suffer({ fault, minutes: 11, heals: 11 });
  });

  it.each<StatusSource>(["nodes", "locations", "info", "production", "stakeAccounts", "mev"])(
    "(%s) are degraded, keep their facts, and recover",
    (source) => {
      const { before, during, after } = suffered;
      expect(before.sources[source].state).toBe("ok");
      const reason = expect.stringMatching(/./) as string;
      expect(during.at(-1)?.sources[source]).toMatchObject({ state: "degraded", reason });
      const known = before.known[source] ?? 0;
      expect(known).toBeGreaterThan(0);
      for (const look of during) expect(look.known[source]).toBeGreaterThanOrEqual(known);
      expect(after.at(-1)?.sources[source].state).toBe("ok");
    },
  );

  it("cost no observation and no event", async () => {
    expect(suffered.during.every(({ report }) => report.accepted)).toBe(true);
    await story.expectTrueEvents();
  });
});

describe("one endpoint of two that fails", () => {
  it.each<[string, Fault]>([
    ["is of another cluster", onFirst("getGenesisHash", ANOTHER_GENESIS)],
    ["answers from an old bank", onFirst("getVoteAccounts", olderVotes(400))],
  ])("because it %s is passed over, and nothing is missed", async (_, fault) => {
    const { during } = await story.suffer({ fault, minutes: 4 });
    expect(during.map(({ report }) => [report.accepted, report.rejected])).toEqual(
      during.map(() => [true, []]),
    );
    await story.expectTrueEvents();
  });

  it("because it does not offer the method is passed over, and not asked for it again with each observation", async () => {
    const { asked, during } = await story.suffer({
      fault: onFirst("getVoteAccounts", NO_METHOD),
      minutes: 6,
    });
    expect(during.every(({ report }) => report.accepted)).toBe(true);
    expect(asked.filter(isAsking("first", "getVoteAccounts"))).toHaveLength(1);
    await story.expectTrueEvents();
  });

  it("because it cuts its answer is tried again, then passed over", async () => {
    const answer = { ...toHttp(200, `{"jsonrpc":"2.0","result":{"current":[`), cutAfter: 20 };
    const { asked, during } = await story.suffer({
      fault: onFirst("getVoteAccounts", answer),
      minutes: 2,
    });
    expect(during.flatMap(({ report }) => report.rejected)).toEqual([]);
    expect(asked.filter(isAsking("first", "getVoteAccounts")).length).toBeGreaterThan(
      during.length,
    );
    await story.expectTrueEvents();
  });
});

describe("endpoints that fail all of them", () => {
  it.each<[string, Fault, RegExp]>([
    ["of another cluster", onBoth("getGenesisHash", ANOTHER_GENESIS), /genesis hash is EtWTRABZ/],
    ["with an epoch that changes meanwhile", epochChanging(), /the epoch changed from \d+ to \d+/],
    ["stuck at a slot", stuck(), /is not above \d+, the last accepted one/],
    [
      "with a list cut to a half",
      onBoth("getVoteAccounts", keepRows(0.5)),
      /vote accounts are under 80 % of/,
    ],
  ])(
    "%s are refused; what was known stays; the next good answer recovers",
    async (_, fault, reason) => {
      const { before, during, after } = await story.suffer({ fault, minutes: 6 });
      const refused = during.filter(({ report }) => !report.accepted);
      // A stuck node must be seen at its slot once first.
      expect(refused.length).toBeGreaterThanOrEqual(during.length - 1);
      for (const { report } of refused)
        expect(report.rejected.map((one) => one.reason).join("; ")).toMatch(reason);
      expect(new Set(during.map(({ listed }) => listed))).toEqual(new Set([before.listed]));
      expect(after[0]?.report.accepted).toBe(true);
      await story.expectTrueEvents();
    },
  );
});

describe("answers that are wrong in one thing", () => {
  /** A single witness's true change is pending for a minute. */
  const FEW = 5;

  it("with a rug of everybody are disputed, however long they go on: no transaction made it", async () => {
    const { during, after } = await story.suffer({
      fault: onFirst("getVoteAccounts", rugOfAll()),
      minutes: 5,
    });
    expect(during.at(-1)?.report.pending).toBeGreaterThan(20);
    expect(after.at(-1)?.report.pending).toBeLessThan(FEW);
    await story.expectTrueEvents();
  });

  it("with a rug of everybody, where no account can be read, are held, and dropped by the next true answer", async () => {
    const lie = onBoth("getVoteAccounts", rugOfAll());
    const noAccounts = onBoth("getMultipleAccounts", NO_METHOD);
    const { during, after } = await story.suffer({
      fault: (asked) => lie(asked) ?? noAccounts(asked),
      minutes: 1,
    });
    expect(during.at(-1)?.report.pending).toBeGreaterThan(20);
    expect(after.at(-1)?.report.pending).toBeLessThan(FEW);
    await story.expectTrueEvents();
  });
});

it("endpoints with a smaller list for over ten minutes make it the reference", async () => {
  const fault = onBoth("getVoteAccounts", keepRows(0.5));
  const { before, during, after } = await story.suffer({ fault, minutes: 14 });
  expectOutlasted(during);
  expect(after.every(({ report }) => report.accepted)).toBe(true);
  // An account without a row has not left; only the rows are fewer.
  expect(new Set(during.map(({ listed }) => listed))).toEqual(new Set([before.listed]));
  await story.expectTrueEvents();
});

it("endpoints that go back in slots for over ten minutes are a cluster that restarted: the series goes on", async () => {
  // 105 minutes: no snapshot that times slots is left, or the leap at the end would be doubted too.
  const wentBack = onBoth("*", lagging(31_500));
  // The simulator lists what happened at its own slots.
  const noHistory = onBoth("getSignaturesForAddress", NO_METHOD);
  const fault: Fault = (asked) => noHistory(asked) ?? wentBack(asked);
  const { during, after } = await story.suffer({ fault, minutes: 14, heals: 12 });
  expectOutlasted(during);
  expect(after.every(({ report }) => report.accepted)).toBe(true);
  await story.expectTrueEvents(false);
});

function expectOutlasted(looks: Look[]): void {
  const [start = 0] = looks.map(({ minute }) => minute);
  for (const { minute, report } of looks)
    expect([minute, report.accepted]).toEqual([minute, minute - start >= 10]);
}
