import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { closedMevToDecide } from "../../generator/ledger/mev-disabled.ts";
import { at, closed, closedTips, crowdRows, facts, led, list, of, onChain } from "./mev-facts.ts";
import { confirm, eventsOf, FIRST_EPOCH, keyOf, rest, snapshot, tell, validatorOf } from "./story.ts";

const heldBy = (isHeld: (name: string) => boolean) => ({
  closedTips: closedTips(FIRST_EPOCH, ...facts.map(({ name }): [string, boolean] => [name, isHeld(name)])),
});
const gone = heldBy((name) => name !== "A");
const tip = (minute: number, bps?: number) => confirm(minute, [], [{ name: "A", ...(bps !== undefined && { bps }) }]);
const begin = [at(0, 800), at(110, 800)];
const off = of("INFO 800→disabled in 0");
const closedList = (...rows: Parameters<typeof list>) => ({ closedMev: closed(FIRST_EPOCH, ...rows) });

describe("a list that lags, after an epoch of which the chain told", () => {
  const table: [string, Entry[], string[]][] = [
    [
      "is no return from disabled while the chain has no account",
      [...begin, at(125, 800, gone), tip(125.1), at(135, 800), tip(135.1), at(145, 800)],
      [off],
    ],
    [
      "is none either while the chain cannot be read",
      [...begin, at(125, 800, gone), at(135, 800), at(145, 800), at(155, "absent")],
      [off],
    ],
    [
      "is a return once the chain has the account",
      [...begin, at(125, 800, gone), tip(125.1), at(135, 800), tip(135.1, 800)],
      [off, of("INFO disabled→800 in 1")],
    ],
    [
      "is a return in the epoch after, when it can show the past no more",
      [...begin, at(125, 800, gone), at(135, 800), at(250, 800), at(260, 800)],
      [off, of("INFO disabled→800 in 2")],
    ],
    [
      "takes nothing back that an account of the running epoch told",
      [...begin, onChain(130, 9500), tip(130.1, 9500), at(140, 800), at(150, 800), at(160, 9500), at(170, 9500)],
      [of("RUG 800→9500 in 1")],
    ],
    [
      "takes nothing back that an account of the epoch before told",
      [...begin, onChain(118, 9500), tip(118.1, 9500), at(130, 800), at(140, 800), at(150, 9500)],
      [of("RUG 800→9500 in 0")],
    ],
    [
      "is a change when the chain says so",
      [...begin, onChain(118, 9500), tip(118.1, 9500), at(130, 800), tip(130.1, 800)],
      [of("RUG 800→9500 in 0"), of("INFO 9500→800 in 1")],
    ],
  ];

  it.each(table)("%s", (_, entries, events) => {
    expect(eventsOf(tell(...entries))).toEqual(events);
  });

  it("is not waited for after the account denied it", () => {
    const told = tell(...begin, at(115, 3000), tip(115.1, 800), at(118, 3000));
    expect(told.pending).toEqual([]);
    expect(told.ledger.dropped).toBe(1);
  });
});

describe("a closed epoch without a tip account", () => {
  it("is decided by a later snapshot too, though a list of the running epoch has shown the old record meanwhile", () => {
    const told = tell(...begin, at(125, 800), at(135, "absent", gone));
    expect(eventsOf(told)).toEqual([off]);
    expect(told.ledger.events).toMatchObject([{ previousSlot: at(110, 800).slot, slot: at(135, 800).slot }]);
    expect(validatorOf(told, "A").mev).toBe("disabled");
  });

  it("takes back no change that was confirmed after it", () => {
    const told = tell(...begin, at(125, 3000), tip(125.1, 3000), at(135, 3000, gone));
    expect(eventsOf(told)).toEqual([of("CAUTION 800→3000 in 1")]);
  });

  it("is not believed of a list when an account of that epoch was read while it ran", () => {
    const told = tell(at(0, 800), onChain(110, 800), at(125, "absent", closedList(...crowdRows)));
    expect(eventsOf(told)).toEqual([]);
  });

  it("is told by the accounts of the others too, though all of those were read before", () => {
    const told = tell(at(0, 800), onChain(110, "absent"), at(125, "absent", gone));
    expect(eventsOf(told)).toEqual([off]);
    const { ledger } = tell(at(0, 800), onChain(110, "absent"));
    expect(closedMevToDecide(ledger, FIRST_EPOCH + 1)?.votes).toHaveLength(facts.length);
  });

  it("is not believed of the first list, when that is far shorter than those known to be enabled", () => {
    expect(eventsOf(tell(...begin, at(125, 800, closedList(...crowdRows.slice(0, 7)))))).toEqual([]);
    expect(eventsOf(tell(...begin, at(125, 800, closedList(...crowdRows.slice(0, 8)))))).toHaveLength(2);
  });

  it("says nothing of a vote account that had no stake in it, and took over the identity of another", () => {
    const stake = 1_000_000_000n;
    const old = { name: "old", identity: "A", stake };
    const heir = (active: bigint) => [...rest, { name: "A", identity: "A", stake: active }];
    const left = { absent: [keyOf("old")], production: led, mev: list(...crowdRows) };
    const back = { production: led, mev: list(...crowdRows, ["A", 800]) };
    const told = tell(
      snapshot(0, [...rest, old], { production: led, mev: list(...crowdRows, ["old", 800]) }),
      snapshot(50, heir(0n), left),
      snapshot(60, heir(0n), left),
      snapshot(125, heir(stake), { ...left, ...gone }),
      snapshot(135, heir(stake), back),
      tip(135.1, 800),
    );
    expect(eventsOf(told)).toEqual([]);
    expect(validatorOf(told, "A").mev).toBe(800);
  });
});
