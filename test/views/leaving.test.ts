import { expect, test } from "vitest";
import { EPOCH, MOMENT, transactionOf } from "../documents/fixtures.ts";
import { changing, judge, type Past, rise, verdictOf } from "./judged.ts";

const rugged = {
  rates: { 39: 500, 20: 10_000, 19: 500 },
  events: [rise(20, 500, 10_000)],
  now: "2026-12-02T10:00:00.000Z",
} satisfies Past;

const delinquentSince = (time: string): Partial<Past> => ({
  record: { delinquent: true, delinquentSince: time },
});
const NEXT_DAY = "2026-11-21T10:00:00.000Z";
const transaction = transactionOf(10_000);

test.each<[string, Partial<Past>, boolean]>([
  ["half of the stake left in time", { stakes: { 20: 15_000n, 19: 14_000n, 17: 7_500n } }, true],
  ["less than half did", { stakes: { 20: 15_000n, 17: 7_501n } }, false],
  ["it did later", { stakes: { 20: 15_000n, 16: 0n } }, false],
  [
    "it was gone in time",
    { record: { listed: false, rank: 1, seen: { ...MOMENT, epoch: EPOCH - 17 } } },
    true,
  ],
  [
    "it was gone later",
    { record: { listed: false, rank: 1, seen: { ...MOMENT, epoch: EPOCH - 16 } } },
    false,
  ],
  ["it stopped voting in time", delinquentSince(MOMENT.time), true],
  ["it stopped voting before", delinquentSince("2026-01-01T00:00:00.000Z"), false],
  ["it stopped voting later", delinquentSince("2026-12-01T00:00:00.000Z"), false],
  [
    "it stopped voting long after a rug of the public history",
    {
      ...delinquentSince(MOMENT.time),
      events: [rise(60, 500, 10_000, { confirmed: false, createdAt: null })],
    },
    false,
  ],
  [
    "it stopped voting before a rug that was found late",
    {
      ...delinquentSince("2026-01-01T00:00:00.000Z"),
      events: [rise(20, 500, 10_000, { createdAt: null })],
    },
    false,
  ],
  [
    "it stopped voting between a rug and its finding",
    {
      ...delinquentSince(MOMENT.time),
      events: [rise(20, 500, 10_000, { createdAt: NEXT_DAY, transaction })],
    },
    true,
  ],
])("a rug on the way out: %s", (_, past, isLeaving) => {
  expect(judge({ ...rugged, ...past }).includes("leaving")).toBe(isLeaving);
});

test("who was on the way out is told in a sentence, without a word of the validator's", () => {
  const told = { ...changing(500, [35, 10_000], [34, 500]), record: { website: "Certified good" } };
  const { level, reasons } = verdictOf({ ...told, stakes: { 35: 15_000n, 33: 10n } });
  const sentence = `Its active stake fell from 15000 to 10 SOL within 3 epochs of the rise in epoch ${EPOCH - 35}.`;
  expect([level, reasons[1]?.code, reasons[1]?.text]).toEqual(["caution", "leaving", sentence]);
});
