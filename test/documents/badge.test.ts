import { expect, it, test } from "vitest";
import {
  EPOCH,
  ledgerOf,
  MOMENT,
  recordCommissions,
  voteOf,
  type EventFacts,
  type ValidatorFacts,
} from "./fixtures.ts";
import { read } from "./read.ts";

const VOTE = voteOf("A");

interface Told {
  events?: Omit<EventFacts, "of">[];
  record?: Omit<Partial<ValidatorFacts>, "name">;
  /** Epochs with a known commission, up to the newest. */
  known?: number;
  now?: number;
}

function ledgerTold({ events = [], record = {}, known = 40, now = EPOCH }: Told) {
  const ledger = ledgerOf({
    validators: [{ name: "A", ...record }],
    // Newest first. The newest is an epoch old, as a rise is named by the epoch it was made in.
    events: events.map((event, ago) => ({
      ...{ of: "A", epoch: EPOCH - 1 - ago, slot: MOMENT.slot - ago },
      ...{ effectiveEpoch: EPOCH + 1 - ago, effectiveEpochLatest: EPOCH + 1 - ago },
      ...event,
    })),
    epochs: Array.from({ length: 40 }, (_, ago) => now - 39 + ago),
  });
  for (let ago = 0; ago < known; ago += 1)
    recordCommissions(ledger, "A", { [now - ago]: { inflation: 500 } });
  return ledger;
}

const badgeOf = (told: Told): string => read(ledgerTold(told), "badge", { votePubkey: VOTE });

const change = (
  from: number | "disabled",
  to: number | "disabled",
  facts: Partial<EventFacts> = {},
) => ({ severity: "INFO", from, to, ...facts }) as const;
const RUG = change(500, 10_000, { severity: "RUG" });
const DONE = { effectiveEpoch: EPOCH - 1, effectiveEpochLatest: EPOCH - 1 };
const flips = [0, 1, 2].flatMap(() => [change(3500, 1000), change(1000, 3500)]);
const COLORS = { bad: "#c01c28", caution: "#9a5b00", good: "#1a7f37", unknown: "#666666" };

test.each<[string, Told, string]>([
  ["never rose", {}, "good · no rise in 30 epochs"],
  ["only fell", { events: [change(500, 300)] }, "good · no rise in 30 epochs"],
  ["rose a little", { events: [change(500, 750)] }, "good · small rises in 30 epochs"],
  [
    "rose in what was never paid",
    { events: [{ ...RUG, supersededBy: "x" }] },
    "good · no paid rise in 30 epochs",
  ],
  ["will rug", { events: [RUG] }, `bad · rug ahead, from epoch ${EPOCH + 1}`],
  [
    "rugged, and took it back",
    // What the other epochs paid would say that none paid the rug.
    { events: [change(10_000, 500), { ...RUG, ...DONE }], known: 0 },
    `bad · rug in epoch ${EPOCH - 2}`,
  ],
  ["rose much", { events: [change(500, 1800)] }, `caution · raised to 18 % in epoch ${EPOCH - 1}`],
  [
    "rose in tips only, while the other rate fell",
    { events: [change(500, 0), change(0, 1000, { source: "MEV" })] },
    `caution · raised MEV to 10 % in epoch ${EPOCH - 2}`,
  ],
  [
    "flips",
    { events: flips.map((event) => ({ ...event, source: "MEV" })) },
    "bad · flips MEV 10 ↔ 35 %",
  ],
  [
    "rugged by the word of a public history only",
    { events: [{ ...RUG, confirmed: false, createdAt: null }] },
    `caution · rug in epoch ${EPOCH - 1}`,
  ],
  ["announces all", { record: { commissionBasisPoints: 10_000 } }, "bad · announces 100 %"],
  ["takes tips", { record: { mev: 9500 } }, "caution · takes 95 % of MEV tips"],
  ["left", { record: { listed: false, rank: 1 } }, "caution · left the cluster"],
  ["is hardly known", { known: 0 }, "not known yet"],
])(
  "the badge of a validator that %s has the level, the colour and the first reason of its verdict",
  (_, told, text) => {
    const { level } = read(ledgerTold(told), "validator", { votePubkey: VOTE }).data.verdict;
    const badge = badgeOf(told);
    expect(badge).toContain(`<title>rugwatch: ${text}</title>`);
    expect(badge).toContain(`rx="3" fill="${COLORS[level]}"`);
  },
);

it("keeps its bytes while epochs go by and nothing changes", () => {
  expect(badgeOf({ events: [{ ...RUG, ...DONE }], now: EPOCH + 5 })).toBe(
    badgeOf({ events: [{ ...RUG, ...DONE }] }),
  );
  expect(badgeOf({ now: EPOCH + 1 })).toBe(badgeOf({}));
});

it("fits its text into its boxes in every font, and holds nothing that a policy would stop", () => {
  const badge = badgeOf({ events: [RUG] });
  const [, width] = /^<svg [^>]*width="(\d+)"/.exec(badge)!;
  const texts = [...badge.matchAll(/<text x="(\d+)" y="14" textLength="(\d+)"/g)].map(
    ([, x, length]) => [+x!, +length!],
  );
  expect(texts).toHaveLength(2);
  expect(texts[1]![0]! - texts[0]![0]! - texts[0]![1]!).toBe(12);
  expect(texts[1]![0]! + texts[1]![1]! + 6).toBe(Number(width));
  expect(badge.replace("http://www.w3.org/2000/svg", "")).not.toMatch(
    /style|script|href|https?:|on\w+=/,
  );
});
