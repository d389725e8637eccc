import { expect, test } from "vitest";
import { RENDER_VERSION } from "../../generator/documents/render.ts";
import { renderStatus, toSwept } from "../../generator/documents/status.ts";
import { createLedger, FOLD_VERSION, type Ledger } from "../../generator/ledger/ledger.ts";
import { createRates } from "../../generator/ledger/rates/timeline.ts";
import { createTips } from "../../generator/ledger/tips/timeline.ts";
import type { PendingRate } from "../../generator/ledger/records.ts";
import { toRulingName } from "../story/fold.ts";
import { ledgerOf, MOMENT, rateRun, tipRun, voteOf } from "./fixtures.ts";
import { readDocument } from "./read.ts";

const generatedAt = "2026-11-20T10:00:05.000Z";

function statusOf(ledger: Ledger, quarantined: { object: string; reason: string }[] = []) {
  const document = readDocument("status", renderStatus(ledger, { generatedAt, quarantined }));
  return (document as { data: Record<string, unknown> & { rulings: unknown[] } }).data;
}

test("the status tells how fresh all is, what is pending, and what was refused, newest first", () => {
  const endpoint = "http://127.0.0.1#1";
  const rate = { basisPoints: 9000, exact: true };
  const pending: PendingRate = {
    ...{ to: rate, first: MOMENT, agreedAt: null, massLeft: null, isDisputed: true },
    answers: [
      { endpoint, commission: rate },
      { endpoint: "http://127.0.0.2#2", commission: { basisPoints: 500, exact: true } },
    ],
  };
  const answers = [{ endpoint, state: 10_000 }];
  const tip = { to: 10_000, first: MOMENT, count: 1, answers, isDisputed: false, isAlone: false };
  const ledger = ledgerOf({
    validators: [
      { name: "one", rates: { ...createRates(), runs: [rateRun(500)], pending } },
      {
        name: "two",
        tips: {
          ...createTips(),
          runs: [tipRun("disabled")],
          pending: new Map([[MOMENT.epoch, tip]]),
        },
      },
    ],
  });
  Object.assign(ledger.acceptance, { accepted: 7, refused: 2 });
  ledger.acceptance.refusedObservations = ["older", "newer"].map((name) => ({
    name,
    time: MOMENT.time,
    reason: name,
  }));
  ledger.sources.mev = { state: "degraded", lastSuccessAt: MOMENT.time, reason: "HTTP status 503" };
  ledger.dropped = 3;
  const quarantined = [{ object: "0000000123", reason: "cut short" }];
  const status = statusOf(ledger, quarantined);
  const firstSeenAt = MOMENT.time;
  expect(status).toMatchObject({
    ...{
      network: "mainnet",
      generatedAt,
      foldVersion: FOLD_VERSION,
      renderVersion: RENDER_VERSION,
    },
    ...{ epoch: MOMENT.epoch, slot: MOMENT.slot, observedAt: MOMENT.time, snapshotAt: MOMENT.time },
    observations: { accepted: 7, refused: 2 },
    pending: [
      {
        ...{
          votePubkey: voteOf("one"),
          source: "COMMISSION",
          fromCommission: 5,
          toCommission: 90,
          firstSeenAt,
        },
        disputed: true,
        witnesses: [
          { endpoint: "http://127.0.0.1", commission: 90 },
          { endpoint: "http://127.0.0.2", commission: 5 },
        ],
      },
      {
        ...{
          votePubkey: voteOf("two"),
          source: "MEV",
          fromCommission: null,
          toCommission: 100,
          firstSeenAt,
        },
        disputed: false,
        witnesses: [{ endpoint: "http://127.0.0.1", commission: 100 }],
      },
    ],
    ...{ dropped: 3, refused: [{ observation: "newer" }, { observation: "older" }], quarantined },
  });
  expect(status["sources"]).toContainEqual({
    name: "mev",
    ...ledger.sources.mev,
    reason: "http_503",
  });
});

test("what strangers said of sources is told as codes, and else as plain lines, also what entries kept raw", () => {
  const raw = "gone\u001b[2J\u009b31m\n2026-11-20 \u202eall\u200b is well\u001b]0;title\u0007";
  const reason = "gone 2026-11-20 all is well";
  const ledger = ledgerOf({ validators: [{ name: "one" }] });
  ledger.acceptance.refusedObservations = [{ name: "refused", time: MOMENT.time, reason: raw }];
  ledger.sources.mev = { state: "degraded", lastSuccessAt: MOMENT.time, reason: raw };
  const status = statusOf(ledger, [{ object: "odd\u001b[31m.json", reason: raw }]);
  expect(status).toMatchObject({
    refused: [{ reason }],
    quarantined: [{ object: "odd.json", reason }],
  });
  expect(status["sources"]).toContainEqual({
    name: "mev",
    ...ledger.sources.mev,
    reason: "failed",
  });
});

test("the status of a network without data says that nothing was read", () => {
  expect(statusOf(createLedger("alpenglow"))).toMatchObject({
    ...{ epoch: null, observedAt: null },
    sources: [{ name: "votes", state: "failed" }, {}, {}, {}, {}, {}, {}, {}, {}],
  });
});

test("the status names the entry that all was made from, and its hash", () => {
  const hash = "a".repeat(64);
  const position = { name: "0000000123", hash, time: MOMENT.time };
  expect(statusOf({ ...createLedger("mainnet"), position })).toMatchObject({
    journal: { entry: "0000000123", hash },
  });
  expect(statusOf(createLedger("mainnet"))).toMatchObject({ journal: null });
});

test("the status shows the newest hundred rulings on events and observations, newest first, and counts them all", () => {
  const rulingAt = (second: number) => {
    const ruledAt = new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString();
    return { verdict: "ignore" as const, reason: `reason ${second}`, ruledAt };
  };
  const ledger = createLedger("mainnet");
  for (let second = 0; second < 130; second += 1) {
    const [subject, ruling] = [
      `subject ${second}`,
      { name: toRulingName(second), ...rulingAt(second) },
    ];
    if (second % 2 === 0) ledger.rulings.events.set(subject, ruling);
    else ledger.rulings.observations.set(subject, { ...ruling, first: subject, last: subject });
  }
  const { rulings, rulingsTotal } = statusOf(ledger);
  expect([rulings.length, rulingsTotal]).toEqual([100, 130]);
  expect(rulings[0]).toEqual({ subject: "subject 129", of: "observation", ...rulingAt(129) });
  expect(rulings.at(-1)).toMatchObject({ subject: "subject 30", of: "event" });
});

test("it names the first hundred authorities that sign too much, and counts them all", () => {
  const busy = Array.from({ length: 130 }, (_, index) => ({
    authority: voteOf(`${index}`),
    votes: [voteOf("one")],
  }));
  const sweep = { validators: 900, covered: 700, upToSlot: 5, refused: 3, contradictions: 1 };
  const swept = toSwept({ ...sweep, busy });
  expect(swept).toMatchObject({ ...sweep, busyTotal: 130 });
  expect(swept.busy).toHaveLength(100);
  expect(swept.busy[99]).toEqual({ authority: voteOf("99"), votePubkeys: [voteOf("one")] });
});
