import fc from "fast-check";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { check, confirm, epochAt, keyOf, snapshot, timeAt, type Fact } from "../ledger/story.ts";

/** Enough that the observation is believed while one of them is gone. */
const NAMES = Array.from({ length: 8 }, (_, index) => `validator ${index}`);

/** What one validator is like in one entry. The usual is more likely than the unusual, or nothing would ever be confirmed. */
const mood = fc.record({
  bps: fc.constantFrom(500, 500, 500, 1000, 9500),
  stake: fc.constantFrom(5_000_000_000n, 5_000_000_000n, 6_000_000_000n),
  delinquent: fc.constantFrom(...Array.from({ length: 9 }, () => false), true),
  title: fc.constantFrom("a name", "a name", "another name"),
  version: fc.constantFrom("4.2.1", "4.2.1", "4.2.2"),
  city: fc.constantFrom("Frankfurt", "Frankfurt", "Paris"),
  mevBps: fc.constantFrom(800, 800, 9500, null),
  runningBam: fc.boolean(),
});

const scene = fc.record({
  kind: fc.constantFrom("check" as const, "snapshot" as const, "snapshot" as const, "confirm" as const),
  /** After the scene before. An epoch has 120. */
  minutes: fc.constantFrom(1, 1, 2, 10, 45, 130),
  moods: fc.tuple(...NAMES.map(() => mood)),
  /** Who is gone; the same one often, so that it is missed more than once. */
  gone: fc.constantFrom(null, null, ...NAMES.slice(0, 1), ...NAMES.slice(0, 2)),
  /** Which side sources answer. */
  nodes: fc.boolean(),
  info: fc.boolean(),
  production: fc.boolean(),
  stakeAccounts: fc.boolean(),
  mev: fc.boolean(),
  closedMev: fc.boolean(),
  locations: fc.boolean(),
});

/** Whose commission no answer has ever told: its history is of MEV alone. */
const UNREADABLE = NAMES[1];

type Mood = typeof mood extends fc.Arbitrary<infer Value> ? Value : never;
type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

interface Actor extends Mood {
  name: string;
  identity: string;
}

/** Stories in which anything may change at any time: entries of the journal, in order, the first a snapshot of all. */
export const anyStory: fc.Arbitrary<Entry[]> = fc
  .array(scene, { minLength: 6, maxLength: 40, size: "medium" })
  .map((scenes) => {
    let minute = 0;
    return scenes.map((each, index) => {
      minute += each.minutes;
      const actors = actorsOf(each);
      if (index === 0) return toSnapshot(minute, actors, each);
      const here = actors.filter(({ name }) => name !== each.gone);
      if (each.kind === "snapshot") return toSnapshot(minute, here, each);
      return each.kind === "check" ? check(minute, here.map(toFact)) : toConfirm(minute, here);
    });
  });

function actorsOf({ moods }: Scene): Actor[] {
  return moods.flatMap((each, index) => {
    const name = NAMES[index];
    return name === undefined ? [] : [{ ...each, name, identity: keyOf(`identity of ${name}`) }];
  });
}

function toFact({ name, bps, stake, delinquent }: Actor): Fact {
  return { name, bps: name === UNREADABLE ? null : bps, stake, delinquent };
}

function toConfirm(minute: number, actors: Actor[]): Entry {
  const accounts = actors.map(({ name, bps }) => ({ name, bps }));
  const tips = actors.map(({ name, mevBps }) => ({ name, ...(mevBps !== null && { bps: mevBps }) }));
  return confirm(minute, accounts, tips);
}

function toSnapshot(minute: number, actors: Actor[], said: Scene): SnapshotEntry {
  const absent = NAMES.filter((name) => actors.every((actor) => actor.name !== name)).map(keyOf);
  return snapshot(minute, actors.map(toFact), {
    absent,
    ...(said.nodes && { nodes: ok(actors.map(toNode)) }),
    ...(said.info && { info: ok(actors.map(toInfo)) }),
    ...(said.production && {
      production: ok({ rows: actors.map(({ identity }) => [identity, 40 + (minute % 7), 40]) }),
    }),
    ...(said.stakeAccounts && { stakeAccounts: ok(toStakeAccounts(minute, actors)) }),
    ...(said.mev && { mev: ok({ rows: actors.flatMap(toMevRows) }) }),
    ...(said.closedMev && { closedMev: ok({ epoch: epochAt(minute) - 1, rows: actors.flatMap(toMevRows) }) }),
    ...(said.locations && { locations: ok(actors.map(toLocation)) }),
  });
}

function ok<Value>(value: Value) {
  return { state: "ok" as const, value };
}

function toNode({ identity, version }: Actor) {
  return { identity, version, clientId: 3, ip: null };
}

function toInfo({ identity, title }: Actor) {
  return { identity, account: keyOf("info"), name: title, website: null, iconUrl: null };
}

function toStakeAccounts(minute: number, actors: Actor[]) {
  const rows = actors.map(({ name, stake }): [string, bigint, bigint, number] => [keyOf(name), stake, 0n, 2]);
  return { epoch: epochAt(minute), asOf: timeAt(minute), rows };
}

function toMevRows({ name, mevBps, runningBam }: Actor) {
  if (mevBps === null) return [];
  return [{ vote: keyOf(name), mevBasisPoints: mevBps, priorityFeeBasisPoints: mevBps, runningBam }];
}

function toLocation({ identity, city }: Actor) {
  return { identity, country: "Germany", countryCode: "DE", city, asn: 24940, asnOrganization: "Hetzner Online GmbH" };
}
