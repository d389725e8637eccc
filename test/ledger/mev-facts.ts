import type { PanelTips, SnapshotEntry } from "../../generator/entries/entry.ts";
import { byPanel, endpointOf } from "./panel-story.ts";
import { crowd, epochAt, keyOf, slotAt, snapshot, type Fact } from "./story.ts";

/** Nine that keep a share of 8 %, and A. */
export const facts: Fact[] = [...crowd(9), { name: "A" }];
export const names = facts.map(({ name }) => name);

/** Basis points; null: an account that is cut off. */
export type Share = number | "absent" | null;

/** What a witness shows of A's tip accounts, of the running epoch and the one before; "silent": no answer. */
export type Says = { now?: Share; before?: Share } | "silent";

/** Who led slots, and how many of 40 had a block. */
export const production = (who: readonly string[], blocks = 39): SnapshotEntry["production"] => ({
  state: "ok",
  value: { rows: who.map((name) => [keyOf(`identity of ${name}`), 40, blocks]) },
});

export const led = production(names);

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

/** A snapshot in which each witness reads the tip accounts of all. What it does not say of A is absent. */
export function look(minute: number, said: readonly Says[], sides: Partial<SnapshotEntry> = {}): SnapshotEntry {
  const tells = said.map((says) => {
    if (says === "silent") return says;
    const { now = "absent", before = "absent" } = says;
    return (name: string, isNow: boolean) => (name !== "A" ? 800 : isNow ? now : before);
  });
  const entry = snapshot(minute, facts, { production: led, tips: tipsOf({ minute }, ...tells), ...sides });
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
