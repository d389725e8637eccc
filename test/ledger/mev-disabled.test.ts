import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { closedMevToDecide } from "../../generator/ledger/mev-disabled.ts";
import {
  at,
  begin,
  closed,
  heldBy,
  list,
  names,
  onChain,
  production,
  read800,
  shot,
  twice,
  type Told,
} from "./mev-facts.ts";
import { crowd, eventsOf, FIRST_EPOCH, keyOf, tell } from "./story.ts";

const few = names.slice(0, 2);
/** Closed-epoch accounts without A's. */
const gone = heldBy((name) => name !== "A");

describe("many at once without an account, or a row in the list, of the closed epoch", () => {
  const among = (count: number) => {
    const who = crowd(count).map(({ name }) => name);
    const rows = who.map((name): Told => [name, 800]);
    const shotOf = (minute: number, sides: Partial<SnapshotEntry> = {}) =>
      shot(minute, crowd(count), { production: production(who), mev: list(...rows), ...sides });
    return {
      shot: shotOf,
      start: [shotOf(0), read800(0.1, who), shotOf(125), shotOf(230)],
      listWithout: (lost: number, epoch = FIRST_EPOCH + 1) => ({ closedMev: closed(epoch, ...rows.slice(lost)) }),
      accountsWithout: (lost: number) => heldBy((name) => who.indexOf(name) >= lost, who),
    };
  };
  type Among = ReturnType<typeof among>;

  it.each<[string, number, (of: Among) => Partial<SnapshotEntry>, number[], number]>([
    ["3 of 10 accounts", 10, (of) => of.accountsWithout(3), [241, 251], 3],
    ["20 of 100 accounts are believed at once", 100, (of) => of.accountsWithout(20), [241, 251], 20],
    ["more are the node's failure, however often", 100, (of) => of.accountsWithout(21), [241, 251, 261, 271], 0],
    ["over 20 of far more", 300, (of) => of.accountsWithout(25), [241, 251, 261], 0],
    ["three answers that agree", 300, (of) => of.accountsWithout(25), [241, 251, 261, 271], 25],
    ["21 of 419 rows", 419, (of) => of.listWithout(21), [241, 251], 0],
    ["three lists that agree", 419, (of) => of.listWithout(21), [241, 251, 261], 21],
    ["21 of 420 rows are believed at once", 420, (of) => of.listWithout(21), [241], 21],
    ["a first list nearly empty", 40, (of) => of.listWithout(39), [241, 251, 261], 0],
    ["a first list of 80 %", 10, (of) => of.listWithout(2), [241], 2],
  ])("%s", (_, count, sides, at, events) => {
    const of = among(count);
    expect(eventsOf(...of.start, ...at.map((minute) => of.shot(minute, sides(of))))).toHaveLength(events);
  });

  it("is doubted anew in each epoch", () => {
    const { shot, start, listWithout } = among(150);
    const [first, second] = [listWithout(21), listWithout(21, FIRST_EPOCH + 2)];
    const entries = [...start, shot(341, first), shot(351, first), shot(361, second)];
    expect(eventsOf(...entries)).toEqual([]);
    expect(eventsOf(...entries, shot(371, second), shot(381, second))).toHaveLength(21);
  });

  it("of 80 % of the list before is believed, of fewer it is not", () => {
    const { shot, start, listWithout } = among(10);
    const before = [...start, shot(241, listWithout(0)), shot(350)];
    expect(eventsOf(...before, shot(361, listWithout(2, FIRST_EPOCH + 2)))).toHaveLength(2);
    expect(eventsOf(...before, shot(361, listWithout(3, FIRST_EPOCH + 2)))).toEqual([]);
  });
});

describe("what is asked about a closed epoch", () => {
  const askedOf = (epoch: number, ...entries: Entry[]) => closedMevToDecide(tell(...entries).ledger, epoch);

  it.each<[string, Entry[], number, string[] | null]>([
    ["the last one, of who led slots in it", begin, 2, names],
    ["of few who did", [0, 230].map((minute) => at(minute, 800, { production: production(few) })), 2, few],
    ["of all, where the chain told of the others", [at(0, 800), onChain(230, "absent")], 2, names],
    ["nobody who produced no block", [at(0, 800, { production: production(names, 0) })], 1, []],
    ["nobody of an epoch in which nobody is known to have led", begin, 5, []],
    ["nothing of one that is decided", [...begin, ...twice(245, (minute) => at(minute, "absent", gone))], 2, null],
    ["nobody who is disabled", [...begin, ...twice(245, (minute) => at(minute, "absent", gone))], 3, names.slice(0, 9)],
  ])("is %s", (_, entries, after, who) => {
    const votes = who?.map(keyOf);
    expect(askedOf(FIRST_EPOCH + after, ...entries)).toEqual(votes ? { epoch: FIRST_EPOCH + after - 1, votes } : null);
  });

  it("is nothing before the first epoch", () => {
    expect(askedOf(0, ...begin)).toBeNull();
  });
});
