import { describe, expect, it } from "vitest";
import { getStake } from "../../generator/ledger/columns.ts";
import type { CheckEntry, Entry, RulingEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { measureSlotMilliseconds } from "../../generator/ledger/slot-time.ts";
import {
  FIRST_EPOCH,
  check,
  crowd,
  eventsOf,
  keyOf,
  named,
  rest,
  slotAt,
  snapshot,
  tell,
  timeAt,
  validatorOf,
  withA,
  type Fact,
} from "./story.ts";

const first = snapshot(0, withA({ bps: 500 }));
const minutes = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);
const accepted = (...entries: Entry[]) => tell(...entries).outcomes.map((outcome) => outcome.accepted);
const afterTen = [...Array<boolean>(10).fill(false), true];

function ruling(about: Entry, verdict: RulingEntry["verdict"]): RulingEntry {
  const time = new Date(Date.parse(about.time) - 1).toISOString();
  const subject = { of: "observation" as const, key: named(about).name };
  return {
    kind: "ruling",
    format: 1,
    network: "mainnet",
    time,
    ruledAt: about.time,
    subject,
    verdict,
    reason: "known",
  };
}

describe("an endpoint that lies about where the cluster is", () => {
  const inEpoch = (entry: CheckEntry, epoch: number): CheckEntry => ({ ...entry, epoch });

  it("cannot name an epoch that the slots do not reach, however long it insists", () => {
    const lies = minutes(30).map((minute) => inEpoch(check(minute, rest), 1_000_000_000));
    expect(accepted(snapshot(0, rest), ...lies).filter(Boolean)).toHaveLength(1);
  });

  it("cannot go back an epoch while its slots rise", () => {
    const told = tell(snapshot(0, rest), inEpoch(check(1, rest), FIRST_EPOCH - 1));
    expect(told.outcomes.at(-1)).toEqual({ accepted: false, reason: expect.stringContaining("is before") as string });
  });

  it("does not keep the true epochs out, when it was believed, for longer than ten minutes", () => {
    const lie = { ...snapshot(0, rest), epoch: 5_000_000 };
    const told = tell(lie, ...minutes(12).map((minute) => check(minute, rest)), snapshot(20, rest));
    expect(told.outcomes.filter((outcome) => outcome.accepted)).toHaveLength(4);
    expect(told.ledger.epochs.map(({ epoch }) => epoch)).toEqual([FIRST_EPOCH]);
    expect([...told.ledger.stakes.keys(), ...told.ledger.inflation.keys()]).toEqual([FIRST_EPOCH, FIRST_EPOCH]);
    expect(validatorOf(told, "crowd 0").firstEpoch).toBe(FIRST_EPOCH);
  });

  it("does not make slots that take no time", () => {
    const anchors = [
      { time: timeAt(0), epoch: FIRST_EPOCH, absoluteSlot: 0, sampled: null },
      { time: timeAt(10), epoch: FIRST_EPOCH, absoluteSlot: Number.MAX_SAFE_INTEGER, sampled: null },
    ];
    expect(measureSlotMilliseconds(anchors)).toBeNull();
  });
});

describe("a cluster that restarted", () => {
  const restarted = (minute: number, facts: Fact[]) => check(minute, facts, { slot: slotAt(0) - 50_000 + minute });

  it("is believed after ten minutes also when it is smaller than before", () => {
    const fewer = minutes(11).map((minute) => restarted(minute, rest.slice(0, 5)));
    expect(accepted(snapshot(0, rest), ...fewer)).toEqual([true, ...afterTen]);
  });

  it("goes back to the epoch it restarted in, and tracks the later one anew", () => {
    const back = minutes(11, 130).map((minute) => ({
      ...check(minute, withA({ stake: 7n }), { slot: slotAt(100) + minute }),
      epoch: FIRST_EPOCH,
      absoluteSlot: slotAt(100) + minute,
      slotIndex: slotAt(100) + minute - slotAt(0),
    }));
    const again = check(200, withA({ stake: 9n }));
    const told = tell(first, snapshot(121, withA({})), ...back);
    expect(told.ledger.epochs.map(({ epoch }) => epoch)).toEqual([FIRST_EPOCH]);
    const { ledger } = tell(first, snapshot(121, withA({})), ...back, again);
    const { ordinal } = validatorOf(told, "A");
    expect(ledger.epochs.map(({ epoch }) => epoch)).toEqual([FIRST_EPOCH, FIRST_EPOCH + 1]);
    expect(ledger.stakes.get(FIRST_EPOCH + 1)?.[ordinal]).toBe(9n);
  });

  it("confirms no change of the chain that is no more", () => {
    const back = minutes(11, 2).map((minute) => restarted(minute, withA({ bps: 10_000 })));
    const told = tell(first, check(1, withA({ bps: 10_000 })), ...back);
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toMatchObject([{ first: { time: timeAt(12) } }]);
  });
});

describe("a smaller set", () => {
  it("is not the same one when its stake is another each time", () => {
    const shrinking = minutes(20).map((minute) => check(minute, crowd(9, { stake: 700_000_000n >> BigInt(minute) })));
    expect(accepted(snapshot(0, rest), ...shrinking).filter(Boolean)).toHaveLength(1);
  });

  it("that a stuck node repeats is one observation", () => {
    const stuck = minutes(30).map((minute) => check(minute, rest.slice(0, 5), { slot: slotAt(1) }));
    expect(accepted(snapshot(0, rest), ...stuck).filter(Boolean)).toHaveLength(1);
  });
});

describe("a commission that cannot be read any more", () => {
  const blind = crowd(9, { bps: null });

  it("is believed after ten minutes, changes nothing, and is no reason to refuse from then on", () => {
    const told = tell(snapshot(0, rest), ...minutes(13).map((minute) => check(minute, blind)));
    expect(told.outcomes.map((outcome) => outcome.accepted)).toEqual([true, ...afterTen, true, true]);
    expect(validatorOf(told, "crowd 0").commissionBasisPoints).toBe(500);
    expect(eventsOf(told)).toEqual([]);
  });

  it("is the new reference by one ruling", () => {
    const second = check(1, blind);
    expect(accepted(snapshot(0, rest), ruling(second, "accept"), second, check(2, blind))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it("neither confirms nor denies what is pending", () => {
    const nine = crowd(30);
    const facts = (bps: number | null): Fact[] => [...nine, { name: "A", bps }];
    const told = tell(snapshot(0, facts(500)), check(1, facts(10_000)), check(2, facts(null)), check(3, facts(null)));
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toHaveLength(1);
  });
});

describe("what the ledger keeps", () => {
  it("of a stake beyond 64 bits is no point in the history", () => {
    const told = tell(snapshot(0, withA({ stake: (1n << 64n) + 5n })));
    expect(getStake(told.ledger.stakes, FIRST_EPOCH, validatorOf(told, "A").ordinal)).toBeNull();
  });

  it("of refusals, moves and times of slots does not grow", () => {
    const place = (minute: number): Partial<SnapshotEntry> => ({
      locations: {
        state: "ok",
        value: [
          {
            identity: keyOf("identity of A"),
            country: "Germany",
            countryCode: "DE",
            city: minute % 2 === 0 ? "Berlin" : "Bonn",
            asn: 24940,
            asnOrganization: "Some Org",
          },
        ],
      },
    });
    const told = tell(
      ...minutes(300).flatMap((minute) => [
        snapshot(minute, withA({}), place(minute)),
        check(minute + 0.5, withA({}), { slot: 1 }),
      ]),
    );
    expect(told.ledger.acceptance.refused).toBe(300);
    expect(told.ledger.acceptance.refusals).toHaveLength(20);
    expect(validatorOf(told, "A").moves).toHaveLength(50);
    expect(told.ledger.slotTimeAnchors.length).toBeLessThanOrEqual(61);
  });

  it("shows one name of several accounts of an identity, in whatever order they are told", () => {
    const accounts = ["one", "two", "three"].map((text) => ({
      identity: keyOf("identity of A"),
      account: keyOf(text),
      name: text,
      website: null,
      iconUrl: null,
    }));
    const lowest = accounts.reduce((held, next) => (next.account < held.account ? next : held));
    for (const value of [accounts, accounts.toReversed()])
      expect(validatorOf(tell(snapshot(0, withA({}), { info: { state: "ok", value } })), "A").name).toBe(lowest.name);
  });
});
