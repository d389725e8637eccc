import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { closedMevToDecide } from "../../generator/ledger/mev-disabled.ts";
import { at, closed, heldBy, list, names, onChain, production, type Told } from "./mev-facts.ts";
import { crowd, eventsOf, FIRST_EPOCH, keyOf, snapshot, tell } from "./story.ts";

const few = names.slice(0, 2);
const begin = [at(0, 800), at(110, 800)];
/** Closed-epoch accounts without A's. */
const gone = heldBy((name) => name !== "A");

describe("many at once without an account, or a row in the list, of the closed epoch", () => {
  const among = (count: number) => {
    const who = crowd(count).map(({ name }) => name);
    const rows = who.map((name): Told => [name, 800]);
    const shot = (minute: number, sides: Partial<SnapshotEntry> = {}) =>
      snapshot(minute, crowd(count), { production: production(who), mev: list(...rows), ...sides });
    return {
      shot,
      start: [shot(0), shot(110)],
      listWithout: (lost: number, epoch = FIRST_EPOCH) => ({ closedMev: closed(epoch, ...rows.slice(lost)) }),
      accountsWithout: (lost: number) => heldBy((name) => who.indexOf(name) >= lost, who),
    };
  };
  type Among = ReturnType<typeof among>;

  it.each<[string, number, (of: Among) => Partial<SnapshotEntry>, number[], number]>([
    ["3 of 10 accounts", 10, (of) => of.accountsWithout(3), [121], 3],
    ["20 of 100 accounts are believed at once", 100, (of) => of.accountsWithout(20), [121], 20],
    ["more are the node's failure, however often", 100, (of) => of.accountsWithout(21), [121, 131, 141, 151], 0],
    ["over 20 of far more", 300, (of) => of.accountsWithout(25), [121, 131], 0],
    ["three answers that agree", 300, (of) => of.accountsWithout(25), [121, 131, 141], 25],
    ["21 of 419 rows", 419, (of) => of.listWithout(21), [121, 131], 0],
    ["three lists that agree", 419, (of) => of.listWithout(21), [121, 131, 141], 21],
    ["21 of 420 rows are believed at once", 420, (of) => of.listWithout(21), [121], 21],
    ["a first list nearly empty", 40, (of) => of.listWithout(39), [121, 131, 141], 0],
    ["a first list of 80 %", 10, (of) => of.listWithout(2), [121], 2],
  ])("%s", (_, count, sides, at, events) => {
    const of = among(count);
    expect(eventsOf(...of.start, ...at.map((minute) => of.shot(minute, sides(of))))).toHaveLength(events);
  });

  it("is doubted anew in each epoch", () => {
    const { shot, start, listWithout } = among(150);
    const [first, second] = [listWithout(21), listWithout(21, FIRST_EPOCH + 1)];
    const entries = [...start, shot(221, first), shot(231, first), shot(241, second)];
    expect(eventsOf(...entries)).toEqual([]);
    expect(eventsOf(...entries, shot(251, second), shot(261, second))).toHaveLength(21);
  });

  it("of 80 % of the list before is believed, of fewer it is not", () => {
    const { shot, start, listWithout } = among(10);
    const before = [...start, shot(121, listWithout(0)), shot(230)];
    expect(eventsOf(...before, shot(241, listWithout(2, FIRST_EPOCH + 1)))).toHaveLength(2);
    expect(eventsOf(...before, shot(241, listWithout(3, FIRST_EPOCH + 1)))).toEqual([]);
  });
});

describe("what is asked about a closed epoch", () => {
  const askedOf = (epoch: number, ...entries: Entry[]) => closedMevToDecide(tell(...entries).ledger, epoch);

  it.each<[string, Entry[], number, string[] | null]>([
    ["the last one, of who led slots in it", begin, 1, names],
    ["of few who did", [0, 110].map((minute) => at(minute, 800, { production: production(few) })), 1, few],
    ["of all, where the chain told of the others", [at(0, 800), onChain(110, "absent")], 1, names],
    ["nobody who produced no block", [at(0, 800, { production: production(names, 0) })], 1, []],
    ["nobody of an epoch in which nobody is known to have led", begin, 5, []],
    ["nothing of one that is decided", [...begin, at(125, "absent", gone)], 1, null],
    ["nobody who is disabled", [...begin, at(125, "absent", gone)], 2, names.slice(0, 9)],
  ])("is %s", (_, entries, after, who) => {
    const votes = who?.map(keyOf);
    expect(askedOf(FIRST_EPOCH + after, ...entries)).toEqual(votes ? { epoch: FIRST_EPOCH + after - 1, votes } : null);
  });

  it("is nothing before the first epoch", () => {
    expect(askedOf(0, ...begin)).toBeNull();
  });
});
