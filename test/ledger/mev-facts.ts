import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { confirm, crowd, ENDPOINT, epochAt, FIRST_EPOCH, keyOf, slotAt, snapshot, type Fact } from "./story.ts";

/** Basis points; null: not told. */
type Bps = number | null;
export type Told = [name: string, bps: Bps];

/** Nine that keep their share, and A. */
export const facts = [...crowd(9), { name: "A" }];
export const names = facts.map(({ name }) => name);
export const crowdRows = crowd(9).map(({ name }): Told => [name, 800]);

const row = ([name, mev]: Told) => ({
  vote: keyOf(name),
  mevBasisPoints: mev,
  priorityFeeBasisPoints: 5000,
  runningBam: null,
});

/** Who led slots, and how many of 40 had a block. */
export const production = (who: readonly string[], blocks = 39): SnapshotEntry["production"] => ({
  state: "ok",
  value: { rows: who.map((name) => [keyOf(`identity of ${name}`), 40, blocks]) },
});

export const led = production(names);

export const list = (...rows: Told[]): SnapshotEntry["mev"] => ({ state: "ok", value: { rows: rows.map(row) } });

export const vendorFails: SnapshotEntry["mev"] = { state: "failed", reason: "MEV list: the list is empty" };

export const closed = (epoch: number, ...rows: Told[]): SnapshotEntry["closedMev"] => ({
  state: "ok",
  value: { epoch, rows: rows.map(row) },
});

/** All of one epoch. */
export const tips = (epoch: number, ...rows: Told[]): SnapshotEntry["tips"] => ({
  state: "ok",
  value: {
    rows: rows.map(([name, mev]) => ({ vote: keyOf(name), epoch, mevBasisPoints: mev, priorityFeeBasisPoints: 5000 })),
  },
});

export const closedTips = (epoch: number, ...rows: [name: string, exists: boolean][]): SnapshotEntry["closedTips"] => ({
  state: "ok",
  value: {
    epoch,
    votes: rows.map(([name]) => keyOf(name)),
    answers: [
      { state: "ok", endpoint: ENDPOINT, slot: slotAt(0), shares: rows.map(([, exists]) => (exists ? [800] : null)) },
    ],
  },
});

export const heldBy = (isHeld: (name: string) => boolean, who = names, epoch = FIRST_EPOCH + 1) => ({
  closedTips: closedTips(epoch, ...who.map((name): [string, boolean] => [name, isHeld(name)])),
});

/** A snapshot that reads tip accounts at its own slot. */
export function shot(minute: number, who: Fact[], sides: Partial<SnapshotEntry>): SnapshotEntry {
  const { closedTips } = sides;
  if (closedTips?.state !== "ok") return snapshot(minute, who, sides);
  const answers = closedTips.value.answers.map((answer) =>
    answer.state === "ok" ? { ...answer, slot: slotAt(minute) } : answer,
  );
  return snapshot(minute, who, { ...sides, closedTips: { state: "ok", value: { ...closedTips.value, answers } } });
}

export const at = (minute: number, mev: Bps | "absent", sides: Partial<SnapshotEntry> = {}): SnapshotEntry =>
  shot(minute, facts, {
    production: led,
    mev: mev === "absent" ? list(...crowdRows) : list(...crowdRows, ["A", mev]),
    ...sides,
  });

/** The tip accounts of the running epoch, each with 8 %. */
export const read800 = (minute: number, who = names) =>
  confirm(
    minute,
    [],
    who.map((name) => ({ name, bps: 800 })),
  );

/** A share of 8 % on the lists, and in the tip accounts of FIRST_EPOCH; what the next epoch had is open. */
export const begin = [at(0, 800), read800(0.1), at(125, 800), at(230, 800)];

/** The same twice, as far apart as no account must be to be believed. */
export const twice = (minute: number, tell: (minute: number) => SnapshotEntry): SnapshotEntry[] => [
  tell(minute),
  tell(minute + 2.1),
];

/** One each ten minutes. */
export const lists = (from: number, ...shares: (Bps | "absent")[]): SnapshotEntry[] =>
  shares.map((share, index) => at(from + index * 10, share));

/** A snapshot with a failed vendor and A's share on chain, of this or an earlier epoch. */
export const onChain = (
  minute: number,
  mev: Bps | "absent",
  { ago = 0, ...sides }: Partial<SnapshotEntry> & { ago?: number } = {},
): SnapshotEntry => {
  const epoch = epochAt(minute) - ago;
  const found = mev === "absent" ? tips(epoch, ...crowdRows) : tips(epoch, ...crowdRows, ["A", mev]);
  return shot(minute, facts, { production: led, mev: vendorFails, tips: found, ...sides });
};
