import { expect, it, test } from "vitest";
import { EPOCH, ledgerOf, MOMENT, read, recordCommissions, voteOf, type EventFacts } from "./fixtures.ts";

const LABEL = "rugwatch";
const VOTE = voteOf("A");

function badgeOf(events: Omit<EventFacts, "of">[], { known = [EPOCH - 1], now = EPOCH } = {}): string {
  const ledger = ledgerOf({
    validators: [{ name: "A" }],
    // Newest first. The newest is an epoch old, as a rise is named by the epoch it was made in.
    events: events.map((event, ago) => ({ of: "A", epoch: EPOCH - 1 - ago, slot: MOMENT.slot - ago, ...event })),
    epochs: Array.from({ length: now - EPOCH + 2 }, (_, at) => EPOCH - 1 + at),
  });
  for (const epoch of known) recordCommissions(ledger, "A", { [epoch]: { inflation: 500 } });
  return read(ledger, "badge", { votePubkey: VOTE });
}

const change = (from: number | "disabled", to: number | "disabled", facts: Partial<EventFacts> = {}) =>
  ({ severity: "INFO", from, to, ...facts }) as const;
const MEV = { source: "MEV" } as const;
const RUG = change(500, 10_000, { severity: "RUG" });

test.each<[string, Omit<EventFacts, "of">[], string, string]>([
  ["never rose", [], `no rise since epoch ${EPOCH - 1}`, "#1a7f37"],
  ["only fell", [change(500, 300)], `no rise since epoch ${EPOCH - 1}`, "#1a7f37"],
  ["rugged", [RUG], `rug in epoch ${EPOCH - 1}`, "#c01c28"],
  ["rugged, and took it back", [change(10_000, 500), RUG], `rug in epoch ${EPOCH - 2}`, "#c01c28"],
  ["rose", [change(500, 750)], `raised to 7.5 % in epoch ${EPOCH - 1}`, "#9a5b00"],
  ["fell a bit after it rose", [change(800, 790), change(500, 800)], `raised to 8 % in epoch ${EPOCH - 2}`, "#9a5b00"],
  ["rose, and took it back", [change(800, 500), change(500, 800)], `no rise since epoch ${EPOCH - 2}`, "#1a7f37"],
  [
    "rose in tips only, while the other rate fell",
    [change(500, 0), change(0, 1000, { source: "MEV" })],
    `MEV raised to 10 % in epoch ${EPOCH - 2}`,
    "#9a5b00",
  ],
  [
    "flips, however often it takes it back",
    [0, 1, 2].flatMap(() => [change(3500, 1000, MEV), change(1000, 3500, MEV)]),
    `flips MEV 10 ↔ 35 %, last in epoch ${EPOCH - 2}`,
    "#9a5b00",
  ],
  [
    "flipped, and rose and fell by little since",
    [
      ...[change(1200, 1000, MEV), change(1000, 1200, MEV)],
      ...[0, 1, 2].flatMap(() => [change(3500, 1000, MEV), change(1000, 3500, MEV)]),
    ],
    `flips MEV 10 ↔ 35 %, last in epoch ${EPOCH - 4}`,
    "#9a5b00",
  ],
  ["rose in what was never paid", [{ ...RUG, supersededBy: "another" }], `no rise since epoch ${EPOCH - 1}`, "#1a7f37"],
  [
    "rugged by the word of a public history only",
    [{ ...RUG, confirmed: false, createdAt: null }],
    `raised to 100 % in epoch ${EPOCH - 1}`,
    "#9a5b00",
  ],
])("the badge of a validator that %s", (_, events, text, color) => {
  const badge = badgeOf(events);
  expect(badge).toContain(`<title>${LABEL}: ${text}</title>`);
  expect(badge).toContain(`rx="3" fill="${color}"`);
});

it("says so where no commission is known", () => {
  expect(badgeOf([], { known: [] })).toContain("<title>rugwatch: not known yet</title>");
});

it("keeps its bytes while epochs go by and nothing changes", () => {
  expect(badgeOf([RUG], { now: EPOCH + 5 })).toBe(badgeOf([RUG]));
  expect(badgeOf([], { known: [EPOCH - 1, EPOCH, EPOCH + 1], now: EPOCH + 1 })).toBe(badgeOf([]));
});

it("fits its text into its boxes in every font, and holds nothing that a policy would stop", () => {
  const badge = badgeOf([RUG]);
  const [, width] = /^<svg [^>]*width="(\d+)"/.exec(badge)!;
  const texts = [...badge.matchAll(/<text x="(\d+)" y="14" textLength="(\d+)"/g)].map(([, x, length]) => [
    +x!,
    +length!,
  ]);
  expect(texts).toHaveLength(2);
  expect(texts[1]![0]! - texts[0]![0]! - texts[0]![1]!).toBe(12);
  expect(texts[1]![0]! + texts[1]![1]! + 6).toBe(Number(width));
  expect(badge.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/style|script|href|https?:|on\w+=/);
});
