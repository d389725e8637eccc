import fc from "fast-check";
import type { CheckEntry, Entry, PanelTips, SnapshotEntry } from "../../generator/entries/entry.ts";
import {
  PANEL,
  toAccounts,
  toClosedProduction,
  toIssuance,
  toLabel,
  toPanel,
  toTipAmounts,
  type OddList,
} from "./odd-panels.ts";
import { check, epochAt, keyOf, ruling, slotAt, snapshot, timeAt, type Fact } from "./story.ts";

/** Ten, so that two may be gone and the rest is still believed. */
export const NAMES = Array.from({ length: 10 }, (_, index) => `validator ${index}`);

/** Usual values are likelier, or nothing would be believed. */
const mood = fc.record({
  commission: fc.constantFrom<{ bps: number | null; percent: number | null }[]>(
    ...Array.from({ length: 6 }, () => ({ bps: 500, percent: null })),
    { bps: 550, percent: null },
    { bps: 9500, percent: null },
    { bps: 12_000, percent: 120 },
    { bps: null, percent: 5 },
    { bps: null, percent: 6 },
    { bps: null, percent: 95 },
    { bps: null, percent: null },
  ),
  stake: fc.constantFrom<bigint[]>(5_000_000_000n, 5_000_000_000n, 5_100_000_000n, 0n),
  delinquent: fc.constantFrom(false, false, false, false, false, true),
  inSet: fc.constantFrom(true, true, true, false),
  identity: fc.constantFrom("own", "own", "own", "own", "another", "shared"),
  title: fc.constantFrom<(string | null)[]>("a name", "a name", "another name", "\u202e", null),
  version: fc.constantFrom<(string | null)[]>("4.2.1", "4.2.1", "4.2.2", "broken", null),
  clientId: fc.constantFrom(3, 3, 3, 6, null),
  city: fc.constantFrom<(string | null)[]>("Frankfurt", "Frankfurt", "Paris", null),
  asn: fc.constantFrom(24940, 24940, 213230, 16276, null),
  mevBps: fc.constantFrom<(number | null)[]>(800, 800, 800, 9500, 11_000, null),
  onMevList: fc.constantFrom(true, true, true, true, false),
  onClosedList: fc.constantFrom(true, true, true, true, false),
  runningBam: fc.constantFrom(null, true, false),
  leaderSlots: fc.constantFrom<number[]>(40, 40, 0),
});

const side = fc.constantFrom("ok" as const, "ok" as const, "failed" as const, "off" as const, "skipped" as const);

const oddList = fc.constantFrom<OddList[]>("same", "same", "same", "same", "different", "lacking", "silent");

const scene = fc.record({
  kind: fc.constantFrom("check" as const, "snapshot" as const, "snapshot" as const),
  /** Since the previous scene; an epoch has 120. */
  minutes: fc.constantFrom<number[]>(0.1, 1, 1, 2, 10, 45, 130, 260),
  moods: fc.tuple(...NAMES.map(() => mood)),
  gone: fc.subarray(NAMES.slice(0, 2)),
  /** Whether absent ones were asked for by key. */
  asked: fc.constantFrom(true, true, true, false),
  slotsOff: fc.constantFrom(0, 0, 0, 0, -200, 100),
  epochsOff: fc.constantFrom(0, 0, 0, 0, 0, 0, -1, 1),
  /** Which of three witnesses is silent; 4: none of them. */
  witness: fc.constantFrom<number[]>(1, 2, 3, 4),
  lists: fc.tuple(oddList, oddList, oddList),
  /** What a list may lack. */
  lacking: fc.subarray(NAMES, { minLength: 1, maxLength: 2 }),
  ruled: fc.constantFrom(null, null, null, null, null, "accept" as const, "ignore" as const),
  sides: fc.record({
    nodes: side,
    info: side,
    production: side,
    stakeAccounts: side,
    mev: side,
    priorityFees: side,
    tips: side,
    closedProduction: side,
    issuance: side,
    tipAmounts: side,
    locations: side,
  }),
});

export type Mood = typeof mood extends fc.Arbitrary<infer Value> ? Value : never;
export type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

type Observed = CheckEntry | SnapshotEntry;

interface Actor extends Mood {
  name: string;
  key: string;
}

/** Stories in which anything may be odd, in order of time; `early`: commissions applied at once. */
export const oddStory: fc.Arbitrary<Entry[]> = fc
  .record({
    scenes: fc.array(scene, { minLength: 8, maxLength: 30, size: "medium" }),
    early: fc.boolean(),
    /** The scene from which the last two take part. */
    newcomersFrom: fc.constantFrom(0, 3, 6),
  })
  .map(toStory);

export function toStory({ scenes, early, newcomersFrom }: { scenes: Scene[]; early: boolean; newcomersFrom: number }) {
  let minute = 0;
  return scenes.flatMap((each, index) => {
    minute += each.minutes;
    const names = index < newcomersFrom ? NAMES.slice(0, -2) : NAMES;
    const actors = actorsOf(each).filter(({ name }) => names.includes(name));
    const entry = toOdd(toEntry(minute, actors, index === 0 ? { ...each, kind: "snapshot", gone: [] } : each), {
      slots: each.slotsOff,
      epochs: each.epochsOff - (early ? 112 : 0),
    });
    return each.ruled === null ? [entry] : [toRuling(entry, each.ruled), entry];
  });
}

function actorsOf({ moods }: Scene): Actor[] {
  return moods.map((each, index) => {
    const name = NAMES[index] ?? "";
    const identity = { own: name, another: `another of ${name}`, shared: "shared" }[each.identity];
    return { ...each, name, key: keyOf(`identity of ${identity}`), identity: identity as Actor["identity"] };
  });
}

function toEntry(minute: number, actors: Actor[], said: Scene): Observed {
  const here = actors.filter(({ name }) => !said.gone.includes(name));
  const { own, ...header } = toPanel(minute, here.map(toFact), said);
  if (said.kind === "snapshot") {
    const entry = toSnapshot(minute, { own, here }, said);
    return { ...entry, ...header, accounts: toAccounts(minute, entry.votes, said) };
  }
  const entry = check(minute, own);
  const unclear = entry.votes.filter(({ basisPoints, percent }) => basisPoints === null && percent !== null);
  const accounts = unclear.length === 0 ? [] : toAccounts(minute, unclear, said);
  return { ...entry, ...header, unclear: unclear.map(({ vote }) => vote), accounts };
}

function toFact({ name, commission, stake, delinquent, identity, inSet }: Actor): Fact {
  return { name, ...commission, stake, delinquent, identity, inSet };
}

function toSnapshot(
  minute: number,
  { own, here: actors }: { own: Fact[]; here: Actor[] },
  { sides, gone, asked, witness }: Scene,
): SnapshotEntry {
  // One row an identity, as the door leaves it.
  const nodes = [...new Map(actors.map((actor) => [actor.key, actor])).values()];
  const mevRows = (isOn: (actor: Actor) => boolean) => actors.filter(isOn).map(toMevRow);
  return snapshot(minute, own, {
    absent: asked ? gone.map(keyOf) : [],
    nodes: section(sides.nodes, nodes.map(toNode)),
    info: section(sides.info, nodes.map(toInfo)),
    production: section(sides.production, { rows: nodes.map(({ key, leaderSlots }) => [key, leaderSlots, 3]) }),
    stakeAccounts: section(sides.stakeAccounts, {
      epoch: epochAt(minute),
      asOf: timeAt(minute),
      rows: actors.map(({ name, stake }) => [keyOf(name), stake, 1n, 2]),
    }),
    mev: section(sides.mev, { rows: mevRows(({ onMevList }) => onMevList) }),
    priorityFees: section(sides.priorityFees, {
      rows: actors.map(({ name, mevBps }): [string, number | null] => [keyOf(name), mevBps]),
    }),
    tips: section(sides.tips, toTips(minute, actors, witness)),
    closedProduction: section(sides.closedProduction, toClosedProduction(minute, actors, toLabel(witness))),
    locations: section(sides.locations, nodes.map(toLocation)),
    issuance: section(sides.issuance, toIssuance(minute, actors.length, toLabel(witness))),
    tipAmounts: section(sides.tipAmounts, toTipAmounts(minute, actors, toLabel(witness))),
  });
}

/** Of this epoch and the one before, by two of the three witnesses. */
function toTips(minute: number, actors: readonly Actor[], silent: number): PanelTips {
  const tips = actors.flatMap(({ name }) => [1, 0].map((ago) => ({ vote: keyOf(name), epoch: epochAt(minute) - ago })));
  const shares = actors.flatMap(({ mevBps, onMevList, onClosedList }): ([number | null] | null)[] => [
    onClosedList ? [mevBps] : null,
    onMevList ? [mevBps] : null,
  ]);
  const answers = PANEL.map((position): PanelTips["answers"][number] => {
    const endpoint = toLabel(position);
    if (position === silent) return { state: "failed", endpoint, reason: "it did not answer" };
    return { state: "ok", endpoint, slot: slotAt(minute), shares: [...shares, [800]] };
  });
  return { tips, controls: [{ vote: keyOf("control"), epoch: epochAt(minute) - 1 }], answers };
}

function section<Value>(state: "ok" | "failed" | "off" | "skipped", value: Value) {
  if (state === "ok") return { state, value };
  if (state === "failed") return { state, reason: "it did not answer" };
  return { state: "skipped" as const, off: state === "off" };
}

function toNode({ key, version, clientId }: Actor) {
  return { identity: key, version, clientId, ip: null };
}

function toInfo({ key, title }: Actor) {
  return {
    identity: key,
    account: keyOf("info"),
    name: title,
    website: title && `https://${title.length}.example`,
    iconUrl: null,
  };
}

function toMevRow({ name, mevBps, runningBam }: Actor) {
  return { vote: keyOf(name), mevBasisPoints: mevBps, priorityFeeBasisPoints: mevBps, runningBam };
}

function toLocation({ key, city, asn }: Actor) {
  const country = city && "Germany";
  return { identity: key, country, countryCode: city && "DE", city, asn, asnOrganization: asn && "Some Org" };
}

/** Moves the slots of the lists, and every epoch that is told. */
function toOdd(entry: Observed, by: { slots: number; epochs: number }): Observed {
  const move = (told: unknown): unknown => {
    if (Array.isArray(told)) return told.map(move);
    if (typeof told !== "object" || told === null) return told;
    const parts = Object.entries(told) as [string, unknown][];
    return Object.fromEntries(
      parts.map(([name, part]) => [name, name === "epoch" && part !== null ? Number(part) + by.epochs : move(part)]),
    );
  };
  const moved = move(entry) as Observed;
  const panel = moved.panel.map((row) => ({
    ...row,
    list: row.list && { ...row.list, slot: row.list.slot + by.slots },
  }));
  return { ...moved, slot: moved.slot + by.slots, panel };
}

function toRuling(entry: Entry, verdict: "accept" | "ignore"): Entry {
  return { ...ruling(entry, { verdict, ruledAt: entry.time }), time: entry.time };
}
