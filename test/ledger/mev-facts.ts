import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { crowd, epochAt, FIRST_EPOCH, keyOf, snapshot } from "./story.ts";

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
    rows: rows.map(([name, exists]) => ({ vote: keyOf(name), exists, mevBasisPoints: exists ? 800 : null })),
  },
});

export const heldBy = (isHeld: (name: string) => boolean, who = names, epoch = FIRST_EPOCH) => ({
  closedTips: closedTips(epoch, ...who.map((name): [string, boolean] => [name, isHeld(name)])),
});

export const at = (minute: number, mev: Bps | "absent", sides: Partial<SnapshotEntry> = {}): SnapshotEntry =>
  snapshot(minute, facts, {
    production: led,
    mev: mev === "absent" ? list(...crowdRows) : list(...crowdRows, ["A", mev]),
    ...sides,
  });

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
  return snapshot(minute, facts, { production: led, mev: vendorFails, tips: found, ...sides });
};
