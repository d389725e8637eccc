import type { Entry, PanelConfirmEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { epochAt, keyOf, slotAt, timeAt } from "./story.ts";

/** A tip account as a witness reads it: the share, or no account. */
type Held = number | "absent";

/** What a witness says of the tip accounts that a second reading asks for; "silent": it could not be asked. */
export type Witnessed = { now?: Held; before?: Held } | "silent";

export const labelOf = (witness: number): string => `http://127.0.0.${witness + 1}:8899#${witness + 1}`;

/** The same observation, told by the first of so many witnesses that are all where the cluster is. */
export function byPanel(size: number, entry: SnapshotEntry): SnapshotEntry {
  const panel = Array.from({ length: size }, (_, witness) => ({
    endpoint: labelOf(witness),
    slot: entry.slot,
    reason: null,
  }));
  return { ...entry, endpoint: labelOf(0), panel };
}

/** What each witness reads of the tip accounts of these validators for the running epoch and the one before. */
export function read(minute: number, names: readonly string[], ...said: Witnessed[]): PanelConfirmEntry {
  const epoch = epochAt(minute);
  const tips = names.flatMap((name) => [epoch - 1, epoch].map((of) => ({ vote: keyOf(name), epoch: of })));
  const shares = (one: { now?: Held; before?: Held }) => names.flatMap(() => [toShare(one.before), toShare(one.now)]);
  return {
    kind: "confirm",
    format: 1,
    network: "mainnet",
    time: timeAt(minute),
    votes: [],
    tips,
    answers: said.map((one, witness) =>
      one === "silent"
        ? { state: "failed", endpoint: labelOf(witness), reason: "no answer" }
        : { state: "ok", endpoint: labelOf(witness), slot: slotAt(minute), rows: [], shares: shares(one) },
    ),
  };
}

/** The tip accounts of a closed epoch as each witness reads them; "silent": it could not be asked. */
export function closedBy(
  minute: number,
  names: readonly string[],
  ...said: (((name: string) => Held) | "silent")[]
): SnapshotEntry["closedTips"] {
  const answers = said.map((one, witness) =>
    one === "silent"
      ? { state: "failed" as const, endpoint: labelOf(witness), reason: "no answer" }
      : {
          state: "ok" as const,
          endpoint: labelOf(witness),
          slot: slotAt(minute),
          shares: names.map((name) => toShare(one(name))),
        },
  );
  return { state: "ok", value: { epoch: epochAt(minute) - 1, votes: names.map(keyOf), answers } };
}

/** In order of time, as the journal has them. */
export function inOrder(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => (a.time < b.time ? -1 : 1));
}

function toShare(held: Held | undefined): [number | null] | null {
  return held === undefined || held === "absent" ? null : [held];
}
