import type {
  AccountRow,
  CheckEntry,
  Entry,
  SnapshotEntry,
} from "../../../generator/entries/entry.ts";
import { ruling, type StoryItem, type StoryRuling } from "../fold.ts";
import { checkBy, snapshotBy } from "../observations.ts";
import { row, type Fact } from "../validators.ts";
import { SILENT, type Witness } from "../witnesses.ts";
import { type Actor, actorsOf } from "./actors.ts";
import { NAMES, type Scene } from "./scenes.ts";
import { toSides } from "./sides.ts";

type Observed = CheckEntry | SnapshotEntry;

interface Story {
  scenes: readonly Scene[];
  /** Commissions are applied at once. */
  early: boolean;
  /** The scene from which the last two take part. */
  newcomersFrom: number;
}

/** In order of time; the first is a whole snapshot. */
export function toEntries({ scenes, early, newcomersFrom }: Story): StoryItem[] {
  let minute = 0;
  return scenes.flatMap((scene, index) => {
    minute += scene.minutes;
    const names = index < newcomersFrom ? NAMES.slice(0, -2) : NAMES;
    const known = actorsOf(scene).filter(({ name }) => names.includes(name));
    const entry = toEntry(
      minute,
      known,
      index === 0 ? { ...scene, kind: "snapshot", gone: [] } : scene,
    );
    const moved = move(entry, {
      slots: scene.slotsOff,
      epochs: scene.epochsOff - (early ? 112 : 0),
    });
    return scene.ruled === null ? [moved] : [toRuling(moved, scene.ruled), moved];
  });
}

function toEntry(minute: number, known: Actor[], scene: Scene): Observed {
  const actors = known.filter(({ name }) => !scene.gone.includes(name));
  const witnesses = toWitnesses(actors.map(toFact), scene);
  if (scene.kind === "snapshot")
    return snapshotBy(minute, witnesses, toSides(minute, actors, scene));
  const own = witnesses.find(({ list }) => list !== null)?.list ?? [];
  const unclear = own
    .filter((fact) => fact.bps === null && fact.percent !== null)
    .map(({ name }) => name);
  return checkBy(minute, witnesses, { unclear });
}

function toFact({ name, identityName, commission, stake, delinquent, inSet }: Actor): Fact {
  return { name, ...commission, stake, delinquent, identity: identityName, inSet };
}

/** Who gives a list answers for the accounts too; of three silent ones one answers all the same. */
function toWitnesses(facts: Fact[], { silent, lists, lacking }: Scene): Witness[] {
  const asked = lists.flatMap((_, position) => (position === silent ? [] : [position]));
  const giving = asked.filter((position) => lists[position] !== "silent");
  const answering = giving.length > 0 ? giving : asked.slice(0, 1);
  const given = lists.map((list) => {
    if (list === "lacking") return facts.filter(({ name }) => !lacking.includes(name));
    return list === "different"
      ? facts.map((fact, index) => toOther(fact, facts[(index + 1) % facts.length]))
      : facts;
  });
  const own = given[answering[0] ?? 0] ?? facts;
  const accounts = Object.fromEntries(own.map((fact) => [fact.name, toAccount(fact)]));
  return given.map((list, position) =>
    answering.includes(position) ? { list, accounts } : SILENT,
  );
}

/** Its rate, stake and state are another's. */
function toOther({ name, identity = name }: Fact, other: Fact | undefined): Fact {
  return { ...other, name, identity };
}

function toAccount(fact: Fact): AccountRow {
  const { vote, basisPoints, percent } = row(fact);
  return [basisPoints ?? (percent === null ? null : percent * 100), percent, vote, basisPoints];
}

/** Moves the slots of the lists, and every epoch. */
function move(entry: Observed, by: { slots: number; epochs: number }): Observed {
  const moved = moveEpochs(entry, by.epochs) as Observed;
  const panel = moved.panel.map((witness) => ({
    ...witness,
    list: witness.list && { ...witness.list, slot: witness.list.slot + by.slots },
  }));
  return { ...moved, slot: moved.slot + by.slots, panel };
}

function moveEpochs(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map((one) => moveEpochs(one, by));
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value) as [string, unknown][];
  return Object.fromEntries(
    parts.map(([name, part]) => [
      name,
      name === "epoch" && part !== null ? Number(part) + by : moveEpochs(part, by),
    ]),
  );
}

function toRuling(entry: Entry, verdict: "accept" | "ignore"): StoryRuling {
  return ruling(entry, { verdict, ruledAt: entry.time });
}
