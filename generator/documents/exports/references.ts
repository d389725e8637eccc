import type { ObjectReference } from "../../contract/objects.ts";
import type { Touched } from "../../ledger/touched.ts";

type ExportKind = "eventsCsv" | "eventsParquet" | "historyCsv" | "historyParquet";

/** Names one file that can be downloaded. */
export type ExportReference = Extract<ObjectReference, { kind: ExportKind }>;

/** The events of all closed epochs. */
export const OF_EVENTS = [
  { kind: "eventsCsv", names: {} },
  { kind: "eventsParquet", names: {} },
] as const satisfies ExportReference[];

/** What names the files of one epoch. */
export function ofClosedEpoch(epoch: number): ExportReference[] {
  return [
    { kind: "historyCsv", names: { epoch } },
    { kind: "historyParquet", names: { epoch } },
  ];
}

/**
 * The exports that show what was touched. None while only the running epoch is: they are written when an epoch closes, and
 * again when something is learnt of a closed one. Epochs that a restarted cluster has not reached any more are among them,
 * so that their files are no longer counted as published.
 */
export function touchedExports(
  { points, epochs }: Pick<Touched, "points" | "epochs">,
  running: number | null,
): ExportReference[] {
  const ofHistory = [...points].sort((a, b) => a - b);
  if (ofHistory.length === 0 && ![...epochs].some((epoch) => epoch !== running)) return [];
  return [...ofHistory.flatMap(ofClosedEpoch), ...OF_EVENTS];
}
