import {
  createProjection,
  type Projection,
} from "../../generator/service/projection/projection.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { openCheckpoints } from "../../generator/service/projection/checkpoints.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import type { Ruling } from "../../generator/entries/ruling.ts";
import { countOperations } from "../../generator/store/counting.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { timeAt } from "../story/clock.ts";
import { check, snapshot } from "../story/observations.ts";
import { crowd } from "../story/validators.ts";

export type Generator = ReturnType<typeof makeGenerator>;

/** Its minute is the clock, in minutes of the story. */
export function makeGenerator(below = openMemoryStore()) {
  const { store, counts } = countOperations(below);
  const place = { store, network: "mainnet", series: 1 } as const;
  const journal = openJournal(place);
  const generator = {
    ...{ place, counts, minute: 0 },
    async append(...entries: Entry[]): Promise<string[]> {
      const names: string[] = [];
      for (const entry of entries) names.push(await journal.append(entry));
      return names;
    },
    rule: (ruling: Ruling) => journal.rule(ruling),
    makeKeeper: () =>
      createProjection({
        ...place,
        journal,
        checkpoints: openCheckpoints({ place, journal }),
        now: () => Date.parse(timeAt(generator.minute)),
      }),
  };
  return generator;
}

export const CROWD = crowd(12);
export const others = (minute: number, bps: number) =>
  check(minute, [{ name: "rugger", bps }, ...CROWD]);
export const first = (minute: number) => snapshot(minute, [{ name: "rugger", bps: 500 }, ...CROWD]);

export const calm = (from: number, to: number) => [
  first(from),
  ...Array.from({ length: to - from }, (_, index) => others(from + 1 + index, 500)),
];

export const keysOf = (projection: Projection) => {
  const { references, since } = projection.changed();
  return {
    since,
    keys: references.map(({ kind, names }) => toObjectKey("mainnet", kind, names)).sort(),
  };
};
