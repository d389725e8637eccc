import { afterEach, describe, expect, it } from "vitest";
import { describeExplanation, toJsonLine } from "../../generator/commands/explain.ts";
import { describePaid } from "../../generator/commands/explain/paid-text.ts";
import { explainPaid } from "../../generator/service/explain.ts";
import type { CheckEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { renderStatus } from "../../generator/documents/status.ts";
import { FIRST_EPOCH, MINUTES_IN_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { checkBy, snapshotBy } from "../story/observations.ts";
import { rewardsOf, type Rewarded } from "../story/rewards.ts";
import { keyOf, withA } from "../story/validators.ts";
import { all, endpointOf } from "../story/witnesses.ts";
import { explainAs, openFilledJournal, type FilledJournal } from "./filled-journal.ts";

const NOW = Date.parse("2026-11-21T00:00:00.000Z");
const CLOSED = FIRST_EPOCH + 2;
const AFTER = 3 * MINUTES_IN_EPOCH + 10;

const list = (bps: number) => all(3, { list: withA(bps) });

/** A at 5 % until epoch 3, watched at each end, and then at 6 %. */
const watched: (CheckEntry | SnapshotEntry)[] = [
  ...[0, 1, 2].flatMap((epoch) => [
    snapshotBy(epoch * MINUTES_IN_EPOCH + 1, list(500)),
    ...[-0.2, 0.2].map((minute) => checkBy((epoch + 1) * MINUTES_IN_EPOCH + minute, list(500))),
  ]),
  ...[-5, -4].map((minute) => checkBy(AFTER + minute, list(600))),
];

function told(rewarded: Rewarded): (CheckEntry | SnapshotEntry)[] {
  const rewards = rewardsOf(AFTER, [{ A: rewarded }, "silent", { A: rewarded }]);
  return [...watched, snapshotBy(AFTER, list(600), { rewards })];
}

function statusOf(entries: (CheckEntry | SnapshotEntry)[]) {
  const { ledger } = foldStory(...entries);
  const bytes = renderStatus(ledger, { generatedAt: "2026-11-20T10:00:00.000Z", quarantined: [] });
  return (JSON.parse(new TextDecoder().decode(bytes)) as { data: { paid: unknown } }).data.paid;
}

describe("rewards that took another commission than the one that applied", () => {
  let filled: FilledJournal | undefined;
  afterEach(() => filled?.close());

  async function explain(entries: (CheckEntry | SnapshotEntry)[]) {
    filled = await openFilledJournal(...entries);
    const event = foldStory(...entries).ledger.events[0]?.id ?? "";
    return explainAs(filled.command, event);
  }

  const other = told({ stakes: [{ commission: 700 }, "gone"] });

  it("are counted in the status", () => {
    expect(statusOf(other)).toEqual({ epoch: CLOSED, measured: 1, contradictions: 1 });
    expect(statusOf(told({}))).toEqual({ epoch: CLOSED, measured: 1, contradictions: 0 });
    expect(statusOf(watched)).toBe(null);
  });

  it("are explained with both derivations", async () => {
    const explanation = await explain(other);
    const [paid] = explanation.paid;
    expect(paid).toMatchObject({ epoch: CLOSED, applied: 500, paid: 700, decidedIn: CLOSED - 2 });
    const block = describeExplanation(explanation)
      .split("\n\n")
      .find((text) => text.startsWith("paid  "));
    const of = (witness: number) => [
      `  ${endpointOf(witness)}: 7 %, by 6900000 vote credits; 110000000000000 lamports for 2800000000000000000000000 points`,
      `    the vote account itself got 1897499999`,
      `    ${keyOf("stake 0 of A")}: 100000000000000 lamports earned 27107142857, of which it got 25209642857`,
      `    ${keyOf("stake 1 of A")}: not delegated to it in all of the epoch`,
    ];
    expect(block?.split("\n")).toEqual([
      `paid  epoch ${CLOSED} took 7 %, where 5 % applies, as it stood when epoch ${CLOSED - 2} ended`,
      `  ${paid?.name ?? ""}`,
      ...of(0),
      ...of(2),
    ]);
    expect(JSON.parse(toJsonLine(explanation))).toMatchObject({
      paid: [{ witnesses: [{ accounts: [{ amount: "25209642857" }, {}] }, {}] }],
    });
  });

  it("are explained of a validator without an event too", async () => {
    const before = other.filter(({ time }) => time < other.at(-3)!.time);
    filled = await openFilledJournal(...before, other.at(-1)!);
    const { settings, network } = filled.command;
    const explainOf = (votePubkey: string) =>
      explainPaid({
        ...{ settings, network, votePubkey, now: () => NOW, onProgress: () => undefined },
        signal: new AbortController().signal,
      });
    const explanation = await explainOf(keyOf("A"));
    expect(explanation).toMatchObject({ measured: 1, paid: [{ epoch: CLOSED, paid: 700 }] });
    expect(describePaid(explanation)).toContain(
      "measured: 1; that took another commission than the one that applied: 1\n\npaid  ",
    );
    expect(describePaid(await explainOf(keyOf("crowd 1")))).toContain("no epoch's rewards were");
    await expect(explainOf(keyOf("nobody"))).rejects.toThrow(
      "no validator of mainnet has the vote",
    );
  });

  it("are not told where both agree", async () => {
    const explanation = await explain(told({}));
    expect(explanation.paid).toEqual([]);
    expect(describeExplanation(explanation)).not.toContain("paid  epoch");
  });
});
