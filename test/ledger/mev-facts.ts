import type { PanelProduction, PanelTips, SnapshotEntry } from "../../generator/entries/entry.ts";
import { byPanel, endpointOf } from "./panel-story.ts";
import { crowd, epochAt, keyOf, slotAt, SLOTS_IN_EPOCH, snapshot, type Fact } from "./story.ts";

/** Nine that keep a share of 8 %, and A. */
export const facts: Fact[] = [...crowd(9), { name: "A" }];
export const names = facts.map(({ name }) => name);

/** Basis points; null: an account that is cut off. */
export type Share = number | "absent" | null;

/** What a witness shows of A's tip accounts, of the running epoch and the one before; "silent": no answer. */
export type Says = { now?: Share; before?: Share } | "silent";

/** Each witness on who made blocks in the closed epoch; "unreadable": an answer without counts; "silent": none. */
export function producersOf(
  { minute, who = names, ahead = [] }: Pick<Asked, "minute" | "who" | "ahead">,
  ...witnesses: (readonly string[] | "unreadable" | "silent")[]
): SnapshotEntry["closedProduction"] {
  const epoch = epochAt(minute) - 1;
  const firstSlot = epoch * SLOTS_IN_EPOCH;
  const answers = witnesses.map((producers, witness): PanelProduction["answers"][number] => {
    const endpoint = endpointOf(witness);
    if (producers === "silent") return { state: "failed", endpoint, reason: "no answer in time" };
    const slot = slotAt(minute) + (ahead[witness] ?? 0);
    const blocksOf = (name: string): [number, number] => [40, producers.includes(name) ? 39 : 0];
    return {
      state: "ok",
      endpoint,
      slot,
      blocks: who.map((name) => (producers === "unreadable" ? null : blocksOf(name))),
    };
  });
  const identities = who.map((name) => keyOf(`identity of ${name}`));
  return { state: "ok", value: { epoch, firstSlot, lastSlot: firstSlot + SLOTS_IN_EPOCH - 1, identities, answers } };
}

interface Asked {
  minute: number;
  who?: readonly string[];
  /** Slots that each witness is ahead. */
  ahead?: readonly number[];
  controls?: readonly string[];
}

/** Each witness on the tip accounts of all; by default the first of the others is a control. */
export function tipsOf(
  { minute, who = names, ahead = [], controls = [who[0] ?? ""] }: Asked,
  ...witnesses: (((name: string, isNow: boolean) => Share) | "silent")[]
): SnapshotEntry["tips"] {
  const epoch = epochAt(minute);
  const toTips = (of: readonly string[], epochs: readonly number[]) =>
    of.flatMap((name) => epochs.map((each) => ({ vote: keyOf(name), epoch: each })));
  const answers = witnesses.map((tell, witness): PanelTips["answers"][number] => {
    const endpoint = endpointOf(witness);
    if (tell === "silent") return { state: "failed", endpoint, reason: "no answer in time" };
    const slot = slotAt(minute) + (ahead[witness] ?? 0);
    const shares = [
      ...who.flatMap((name) => [tell(name, false), tell(name, true)]),
      ...controls.map((name) => tell(name, false)),
    ].map(toShare);
    return { state: "ok", endpoint, slot, shares };
  });
  return {
    state: "ok",
    value: { tips: toTips(who, [epoch - 1, epoch]), controls: toTips(controls, [epoch - 1]), answers },
  };
}

function toShare(share: Share): [number | null] | null {
  return share === "absent" ? null : [share];
}

/**
 * A snapshot in which each witness reads the tip accounts of all, who all made blocks in the closed epoch. What it does
 * not say of A is absent.
 */
export function look(minute: number, said: readonly Says[], sides: Partial<SnapshotEntry> = {}): SnapshotEntry {
  const tells = said.map((says) => {
    if (says === "silent") return says;
    const { now = "absent", before = "absent" } = says;
    return (name: string, isNow: boolean) => (name !== "A" ? 800 : isNow ? now : before);
  });
  const producers = said.map((says) => (says === "silent" ? says : names));
  const entry = snapshot(minute, facts, {
    tips: tipsOf({ minute }, ...tells),
    closedProduction: producersOf({ minute }, ...producers),
    ...sides,
  });
  return said.length === 1 ? entry : byPanel(said.length, entry);
}

type Bps = number | null;
export type Listed = [name: string, priorityFee: Bps];

/** The vendor's list. */
export const list = (...rows: (string | Listed)[]): SnapshotEntry["mev"] => ({
  state: "ok",
  value: {
    rows: rows.map((row) => {
      const [name, priorityFeeBasisPoints] = typeof row === "string" ? [row, 5000] : row;
      return { vote: keyOf(name), mevBasisPoints: 800, priorityFeeBasisPoints, runningBam: null };
    }),
  },
});

export const vendorFails: SnapshotEntry["mev"] = { state: "failed", reason: "MEV list: the list is empty" };
