import "./at-once.ts";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { openJournal, type Journal } from "../../generator/journal/journal.ts";
import type { JournalPlace } from "../../generator/journal/names.ts";
import { StoreError } from "../../generator/store/store.ts";
import { after, row, ROWS } from "../journal/rows.ts";
import { checkAt, fill } from "../journal/packed.ts";
import { makePlace } from "../journal/samples.ts";
import { openForkedStore, type ForkedStore } from "./forked-store.ts";
import { readLog } from "./log.ts";
import { DEATH, guard, isWrite, type Seen } from "./mortal.ts";
import { createRandom, type Random } from "./random.ts";
import { SOAK } from "./soak.ts";
import { createTurns, type Turns } from "./turns.ts";

const CASES = 400 * SOAK;
const PACKED_CASES = 25 * SOAK;
const MINUTE = 60_000;
const LATE_MILLISECONDS = 20 * MINUTE;

interface Odds {
  /**
   * One operation in so many kills its writer; or its answer
   * is lost; or the client sends it twice; or it stalls.
   */
  death: number;
  lost: number;
  twice: number;
  stall: number;
  stallMilliseconds: number;
}

interface Case {
  seed: number;
  writers: number;
  appends: number;
  odds: Odds;
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  seed: fc.nat(),
  writers: fc.integer({ min: 2, max: 5 }),
  appends: fc.integer({ min: 1, max: 12 }),
  odds: fc.record({
    death: fc.constantFrom(10, 25, Infinity),
    lost: fc.constantFrom(4, 10, Infinity),
    twice: fc.constantFrom(2, 6, Infinity),
    stall: fc.constantFrom(5, 20, Infinity),
    stallMilliseconds: fc.constantFrom(MINUTE, 30 * MINUTE),
  }),
});

interface Acknowledged {
  name: string;
  entry: Entry;
}

const seen = { acknowledged: 0, deaths: 0, lost: 0, twice: 0, late: 0 };

/**
 * Appends its own entries one after the other; asks again
 * where no answer came, and starts anew where it died.
 */
async function write(
  { turns, store, random, odds }: { turns: Turns; store: ForkedStore; random: Random; odds: Odds },
  { who, entries }: { who: number; entries: readonly Entry[] },
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const isDue = (oneIn: number) => oneIn < Infinity && random.below(oneIn) === 0;

  function see(): Seen {
    let isDead = false;
    return guard({ publicStore: store, stateStore: store }, async (operation, act) => {
      const fail = (what: string) => new StoreError("a store", operation.name, operation.key, what);
      if (isDead) throw fail(DEATH);
      if (isDue(odds.stall)) turns.stall(who, turns.now() + random.below(odds.stallMilliseconds));
      return turns.take(who, async () => {
        if (isDue(odds.death)) {
          isDead = true;
          seen.deaths += 1;
          const fate = random.below(3);
          if (fate === 1) await act();
          if (fate === 2 && isWrite(operation)) {
            seen.late += 1;
            turns.plan(turns.now() + random.below(LATE_MILLISECONDS), act);
          }
          throw fail(DEATH);
        }
        if (!isWrite(operation)) return act();
        if (isDue(odds.lost)) {
          seen.lost += 1;
          if (random.below(2) === 0) await act();
          else turns.plan(turns.now() + random.below(LATE_MILLISECONDS), act);
          throw fail("no answer came");
        }
        const answer = await act();
        if (!isDue(odds.twice)) return answer;
        // The first answer was lost on its way: the client asks again and hears the second.
        seen.twice += 1;
        return act();
      });
    });
  }

  const open = (): Journal =>
    openJournal({ store: see().stateStore, network: "mainnet", series: 1 });
  let journal = open();
  for (const entry of entries) {
    for (let isKept = false; !isKept;) {
      try {
        acknowledged.push({ name: await journal.append(entry), entry });
        isKept = true;
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        // Who starts anew makes another observation.
        if (!error.message.includes(DEATH)) continue;
        journal = open();
        isKept = true;
      }
    }
  }
  return acknowledged;
}

/** Some are stored whole, some as their difference from another. */
function entriesOf(who: number, count: number): Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const entry = after(index * 50 + who, [
      row(0, { activeStake: BigInt(index) }),
      ...ROWS.slice(1),
    ]);
    return { ...entry, endpoint: `https://${who}.example#${who}` };
  });
}

async function letAllWrite(
  { seed, writers, appends, odds }: Case,
  place: JournalPlace & { store: ForkedStore },
) {
  const random = createRandom(seed);
  const turns = createTurns({ startsAt: 0, random });
  const acknowledged: Acknowledged[] = [];
  const tasks = Array.from({ length: writers }, async (_, who) => {
    const entries = entriesOf(who, appends);
    acknowledged.push(
      ...(await write({ turns, store: place.store, random, odds }, { who, entries })),
    );
  });
  await turns.runAll(tasks);
  seen.acknowledged += acknowledged.length;
  return acknowledged;
}

async function findFaults(
  place: JournalPlace,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const { entries, faults } = await readLog(place.store);
  const byText = Map.groupBy(
    entries,
    ({ entry: { time, ...rest } }) => `${time} ${"endpoint" in rest && rest.endpoint}`,
  );
  const doubled = [...byText]
    .filter(([, all]) => all.length > 1)
    .map(([text]) => `${text} is there twice`);
  const byName = new Map(entries.map(({ name, entry }) => [name, entry]));
  const lost = acknowledged.filter(
    ({ name, entry }) => !isDeepStrictEqual(byName.get(name), entry),
  );
  return [
    ...faults,
    ...doubled,
    ...lost.map(({ name }) => `${name} was acknowledged and is not there`),
  ];
}

describe("writers that append at once, through a store whose answers come late, get lost or are asked for twice", () => {
  it("find each acknowledged entry once under its number, in a chain that is whole and has no gap", async () => {
    const property = fc.asyncProperty(anyCase, async (one) => {
      const place = { ...makePlace(), store: openForkedStore("memory:state") };
      const acknowledged = await letAllWrite(one, place);
      expect(await findFaults(place, acknowledged)).toEqual([]);
    });
    await fc.assert(property, { numRuns: CASES });
    expect(seen.acknowledged).toBeGreaterThan(CASES * 5);
    for (const count of [seen.deaths, seen.lost, seen.twice, seen.late])
      expect(count).toBeGreaterThan(CASES / 4);
  });

  it("find them also where one sleeps while thousands are appended and packed, and their loose copies deleted", async () => {
    const base = { ...makePlace(), store: openForkedStore("memory:state") };
    await fill(base, 985);
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (sleepsAt) => {
      const place = { ...base, store: base.store.fork() };
      let operations = 0;
      const sleepy = guard(
        { publicStore: place.store, stateStore: place.store },
        async (_, act) => {
          operations += 1;
          if (operations === sleepsAt) await goOnWithout(place);
          return act();
        },
      );
      const sleeper = openJournal({ ...place, store: sleepy.stateStore });
      const acknowledged: Acknowledged[] = [];
      for (const entry of entriesOf(0, 14))
        acknowledged.push({ name: await sleeper.append(entry), entry });
      expect(await findFaults(place, acknowledged)).toEqual([]);
    });
    await fc.assert(property, { numRuns: PACKED_CASES });
  });
});

/** Packs the first and the second thousand, and deletes the loose entries of the first. */
async function goOnWithout(place: JournalPlace): Promise<void> {
  const others = openJournal(place);
  for (let name = "", minute = 985; name < "0000002001"; minute += 1)
    name = await others.append(checkAt(minute));
  for (let call = 0; call < 3; call += 1) await others.pack();
}
