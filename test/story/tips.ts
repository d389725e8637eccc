import type { PanelTips, SnapshotEntry } from "../../generator/entries/entry.ts";
import { epochAt, slotAt, SLOTS_IN_EPOCH } from "./clock.ts";
import { snapshotBy, type Sides } from "./observations.ts";
import { keyOf, withA } from "./validators.ts";
import { answersBy, SILENT } from "./witnesses.ts";

/* What each witness reads of tip accounts, and of who made the blocks in which tips are paid. */

export const NAMES = withA().map(({ name }) => name);

/** MEV commission in a tip account, basis points; null: an account that is cut off. */
export type Share = number | "absent" | null;

interface Asked {
  minute: number;
  who?: readonly string[];
  /** Slots that each witness is ahead. */
  ahead?: readonly number[];
  /** Whose tip accounts of the epoch before are known to be there. */
  controls?: readonly string[];
}

/** Each witness on the tip accounts of all in the epoch before and in the running one. */
export function tipsOf(
  { minute, who = NAMES, ahead = [], controls = [who[0] ?? ""] }: Asked,
  ...witnesses: (((name: string, isRunning: boolean) => Share) | "silent")[]
): Extract<SnapshotEntry["tips"], { state: "ok" }> {
  const epoch = epochAt(minute);
  const toTips = (of: readonly string[], epochs: readonly number[]) =>
    of.flatMap((name) => epochs.map((each) => ({ vote: keyOf(name), epoch: each })));
  const answers: PanelTips["answers"] = answersBy(witnesses, (shareOf, witness) => {
    const shares = [
      ...who.flatMap((name) => [shareOf(name, false), shareOf(name, true)]),
      ...controls.map((name) => shareOf(name, false)),
    ].map((share): [number | null] | null => (share === "absent" ? null : [share]));
    return { slot: slotAt(minute) + (ahead[witness] ?? 0), shares };
  });
  const tips = toTips(who, [epoch - 1, epoch]);
  return { state: "ok", value: { tips, controls: toTips(controls, [epoch - 1]), answers } };
}

/** Each witness on who made blocks in the closed epoch; "unreadable": an answer without counts. */
export function producersOf(
  { minute, who = NAMES, ahead = [] }: Pick<Asked, "minute" | "who" | "ahead">,
  ...witnesses: (readonly string[] | "unreadable" | "silent")[]
): Extract<SnapshotEntry["closedProduction"], { state: "ok" }> {
  const epoch = epochAt(minute) - 1;
  const firstSlot = epoch * SLOTS_IN_EPOCH;
  const answers = answersBy(witnesses, (producers, witness) => {
    const blocksOf = (name: string): [number, number] => [40, producers.includes(name) ? 39 : 0];
    const blocks = who.map((name) => (producers === "unreadable" ? null : blocksOf(name)));
    return { slot: slotAt(minute) + (ahead[witness] ?? 0), blocks };
  });
  const identities = who.map((name) => keyOf(`identity of ${name}`));
  return {
    state: "ok",
    value: { epoch, firstSlot, lastSlot: firstSlot + SLOTS_IN_EPOCH - 1, identities, answers },
  };
}

/** A's tip accounts, by one witness; what it does not say is absent. */
export type TipReading = { now?: Share; before?: Share } | "silent";

/**
 * A snapshot in which each witness reads the tip accounts
 * of all, who all made blocks in the closed epoch.
 */
export function tipSnapshot(
  minute: number,
  readings: readonly TipReading[],
  sides: Sides = {},
): SnapshotEntry {
  const shares = readings.map((reading) => {
    if (reading === "silent") return reading;
    const { now = "absent", before = "absent" } = reading;
    return (name: string, isRunning: boolean) => (name !== "A" ? 800 : isRunning ? now : before);
  });
  const producers = readings.map((reading) => (reading === "silent" ? reading : NAMES));
  const witnesses = readings.map((one) => (one === "silent" ? SILENT : { list: withA() }));
  return snapshotBy(minute, witnesses, {
    tips: tipsOf({ minute }, ...shares),
    closedProduction: producersOf({ minute }, ...producers),
    ...sides,
  });
}

/** The tips of A in one epoch: lamports, settled ones as text; null: unreadable. */
export type TipAmount = bigint | `${bigint} settled` | null | "absent" | "silent";

/** Each witness's reading of A's tips in an epoch. */
export function tipAmountsOf(
  minute: number,
  epoch: number,
  ...amounts: TipAmount[]
): SnapshotEntry["tipAmounts"] {
  const answers = answersBy(amounts, (amount: Exclude<TipAmount, "silent">) => ({
    slot: slotAt(minute),
    amounts: [toAmount(amount)],
  }));
  return { state: "ok", value: { tips: [{ vote: keyOf("A"), epoch }], answers } };
}

function toAmount(amount: Exclude<TipAmount, "silent">): [bigint | null, boolean] | null {
  if (amount === "absent") return null;
  return typeof amount === "string"
    ? [BigInt(amount.replace(" settled", "")), true]
    : [amount, false];
}

/** What the vendor lists of a validator: by default a priority fee of 50 %. */
export type VendorRow = [name: string, priorityFee: number | null];

export const vendorList = (...rows: (string | VendorRow)[]): SnapshotEntry["mev"] => ({
  state: "ok",
  value: {
    rows: rows.map((row) => {
      const [name, priorityFeeBasisPoints] = typeof row === "string" ? [row, 5000] : row;
      return { vote: keyOf(name), mevBasisPoints: 800, priorityFeeBasisPoints, runningBam: null };
    }),
  },
});
