import { describe, expect, it } from "vitest";
import type {
  AccountRow,
  CheckEntry,
  Entry,
  SnapshotEntry,
} from "../../generator/entries/entry.ts";
import { trackedEpochs } from "../../generator/ledger/tracked-epochs.ts";
import { tipsToRead } from "../../generator/ledger/tips/tips.ts";
import { FIRST_EPOCH, minutes, slotAt, timeAt } from "../story/clock.ts";
import { foldStory, foldOnto } from "../story/fold.ts";
import { issuanceOf } from "../story/issuance.ts";
import { check, movedTo } from "../story/observations.ts";
import { eventsIn, validatorOf } from "../story/outcome.ts";
import { panelCheck } from "../story/panels.ts";
import { tipSnapshot, tipsOf, tipAmountsOf } from "../story/tips.ts";
import { setsA, steady, transactions } from "../story/transactions.ts";
import { keyOf, rest, withA } from "../story/validators.ts";

/*
 * A cluster that restarts in its second epoch from a slot of the first.
 * Whatever is remembered of later slots belongs to an abandoned chain.
 */

const OLD = 800;
const RESTARTED_SLOT = slotAt(100);

/** On the restarted chain: first epoch, though it is the story's third hour. */
function after<E extends CheckEntry | SnapshotEntry>(entry: E): E {
  return movedTo(entry, RESTARTED_SLOT + (Date.parse(entry.time) - Date.parse(timeAt(0))) / 60_000);
}

/** Ten minutes of refusals; the next observation is believed. */
const insisting = (facts = withA(), from = 130): Entry[] =>
  minutes(from, from + 9).map((minute) => after(check(minute, facts)));
const at = (minute: number, share: number, sides: Partial<SnapshotEntry> = {}) =>
  tipSnapshot(minute, [{ now: share, before: share }], sides);
const watched = [at(0, OLD), at(110, OLD), at(121, OLD)];
/** Of the epoch that runs again, and the one before. */
const tips = tipsOf({ minute: 101 }, () => 9500);
const shown = [140, 150].map((minute) => after(at(minute, OLD, { tips })));

/** The node's account of A at that slot, with its block revenue commission. */
function sharing(entry: SnapshotEntry, revenue: number): SnapshotEntry {
  const { slot, endpoint, votes } = entry;
  const rows = votes.map(({ vote, basisPoints }): AccountRow => [basisPoints, null, vote, revenue]);
  return { ...entry, absoluteSlot: slot, accounts: [{ state: "ok", endpoint, slot, rows }] };
}

it.each([
  ["what the abandoned chain showed is no rate of this one", [0, 0, 9_000], []],
  ["a change of the abandoned chain never was", [5_000, 9_000, 5_000], []],
])("block revenue commission: %s", (_, [first = 0, second = 0, third = 0], changes) => {
  const abandoned = [
    sharing(at(0, OLD), 10_000),
    sharing(at(110, OLD), first),
    sharing(at(121, OLD), second),
  ];
  const restarted = [after(at(140, OLD)), after(at(150, OLD))].map((entry) =>
    sharing(entry, third),
  );
  const again = sharing(at(125, OLD), second);
  const outcome = foldStory(...abandoned, again, ...insisting(withA(OLD)), ...restarted);
  expect(validatorOf(outcome, "A")).toMatchObject({
    blockRevenueBasisPoints: third,
    blockRevenue: { changes },
  });
});

describe("after a cluster restarted", () => {
  it("an epoch that only tip accounts told of is no more", () => {
    const before = foldStory(at(0, OLD), at(250, OLD), ...insisting(withA(), 260));
    expect(trackedEpochs(before.ledger).map((epoch) => epoch - FIRST_EPOCH)).toEqual([0, 1, 2]);
    const { ledger, touched } = foldOnto(before.ledger, after(at(270, OLD)));
    expect(trackedEpochs(ledger)).toEqual([FIRST_EPOCH]);
    expect(touched.epochs).toContain(FIRST_EPOCH + 1);
  });

  const window = { previousSlot: slotAt(0), previousSeenAt: timeAt(121) };

  it("a change lies between slots of the chain there is", () => {
    const risen = [140, 141].map((minute) => after(check(minute, withA(10_000))));
    const { events } = foldStory(...watched, ...insisting(), ...risen).ledger;
    expect(events).toMatchObject([
      { to: 10_000, epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH + 2, ...window },
    ]);
  });

  it("the share of the epoch that runs again is learned anew, without an event", () => {
    const outcome = foldStory(...watched, ...insisting(), ...shown);
    expect(eventsIn(outcome)).toEqual([]);
    expect(validatorOf(outcome, "A")).toMatchObject({ mev: 9500, mevEpoch: FIRST_EPOCH });
  });

  it("what is shown of MEV, and was last seen of anyone, is of no epoch to come, and is rendered again", () => {
    const before = foldStory(...watched, ...insisting(rest));
    const { touched, ledger } = foldOnto(before.ledger, after(check(140, rest)));
    const { validatorIndex, mevEpoch, seen } = validatorOf({ ledger }, "A");
    expect(mevEpoch).toBeNull();
    expect(seen).toEqual({ time: timeAt(121), slot: RESTARTED_SLOT + 140, epoch: FIRST_EPOCH });
    for (const part of ["events", "histories"] as const)
      expect(touched[part]).toContain(validatorIndex);
  });

  it("nobody has made blocks of the epoch that runs again, and identities are of no slot to come", () => {
    const leadersOf = (...entries: Entry[]) => {
      const outcome = foldStory(...entries);
      return [outcome.ledger.closedProduction, validatorOf(outcome, "A").knownIdentity] as const;
    };
    const [counted, known] = leadersOf(...watched);
    expect(counted.hasMadeBlock.get(keyOf("identity of A"))).toBe(true);
    expect(known).toMatchObject({ from: slotAt(0), until: slotAt(121) });
    const [again, knownAgain] = leadersOf(...watched, ...insisting(), after(check(140, withA())));
    expect(again.hasMadeBlock.size).toBe(0);
    expect(knownAgain).toMatchObject({ from: slotAt(0), until: RESTARTED_SLOT + 140 });
  });

  it("the tip accounts of the epoch that runs again are asked for again", () => {
    const asked = (...entries: Entry[]) =>
      tipsToRead(foldStory(...entries).ledger, {
        epoch: FIRST_EPOCH,
        votes: [keyOf("A")],
      }).tips.map(({ epoch }) => epoch);
    expect(asked(...watched)).not.toContain(FIRST_EPOCH);
    expect(asked(...watched, ...insisting(), after(check(140, withA())))).toContain(FIRST_EPOCH);
  });

  it("the tips of the epoch that runs again are counted anew", () => {
    const counted = at(125, OLD, { tipAmounts: tipAmountsOf(125, FIRST_EPOCH, "70 settled") });
    expect([...foldStory(...watched, counted).ledger.tipAmounts.keys()]).toEqual([FIRST_EPOCH]);
    const outcome = foldStory(...watched, counted, ...insisting(), after(check(140, withA())));
    expect([...outcome.ledger.tipAmounts.keys()]).toEqual([]);
  });

  it("so are its vote credits", () => {
    const credits: [number, bigint, bigint][] = [[FIRST_EPOCH, 9n, 1n]];
    const slotTimes: [number, number][] = [[200, 1]];
    const issuance = { validatorRate: 0.04, slot: slotAt(0), supply: 10n ** 12n, slotTimes };
    const begun = at(0, OLD, { issuance: issuanceOf(0, issuance) });
    const ended = at(125, OLD);
    const counted = { ...ended, votes: ended.votes.map((row) => ({ ...row, credits })) };
    expect([...foldStory(begun, counted).ledger.credits.keys()]).toEqual([FIRST_EPOCH]);
    const outcome = foldStory(begun, counted, ...insisting(), after(check(140, withA())));
    expect([...outcome.ledger.credits.keys()]).toEqual([]);
  });

  it("of a stretch that nobody observed, the slots that are no more are forgotten", () => {
    expect(foldStory(...watched).ledger.unobserved[0]).toEqual([slotAt(0), slotAt(110)]);
    const { ledger } = foldStory(...watched, ...insisting(), after(check(140, withA())));
    expect(ledger.unobserved).toEqual([[slotAt(0), RESTARTED_SLOT + 140]]);
  });

  it("what was proved of slots that are no more is forgotten, and what was searched", () => {
    const found = [50, 51, 105, 106].map((minute) =>
      setsA(minute, [minute % 5 === 0 ? 10_000 : 500]),
    );
    const proved = [
      ...[...steady(0, 110, 500), transactions(111, 3, { after: -100, upTo: 110.5, found })],
      ...steady(120, 120, 500),
    ];
    expect(validatorOf(foldStory(...proved), "A").rateProofs).toHaveLength(4);
    const back = minutes(130, 140).map((minute) =>
      after(panelCheck(minute, withA(500), { of: 3, by: minute % 3 })),
    );
    const outcome = foldStory(...proved, ...back);
    const { rateProofs, authorities } = validatorOf(outcome, "A");
    const { newest } = outcome.ledger.acceptance;
    expect(newest?.epoch).toBe(FIRST_EPOCH);
    expect(rateProofs.map(({ slot }) => slot)).toEqual([slotAt(50), slotAt(51)]);
    expect(authorities).toHaveLength(1);
    expect(authorities[0]?.to).toBeLessThanOrEqual(newest?.slot ?? 0);
    expect(outcome.ledger.searches.size).toBe(0);
  });
});
