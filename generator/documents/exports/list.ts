import type { ExportFile, FindDigest } from "../../contract/export.ts";
import { FORMS } from "../../contract/forms.ts";
import { toObjectKey } from "../../contract/object-keys.ts";
import { OBJECTS, type DocumentOf } from "../../contract/objects.ts";
import { ofClosedEpoch, OF_EVENTS, type ExportReference } from "../references.ts";
import type { View } from "../view.ts";
import { countHistoryRows, toEventsTable } from "./tables.ts";

/**
 * Lists exports with the sizes and hashes that the publisher knows; computing them here would
 * render every file again.
 */
export function renderExports(view: View, findDigest: FindDigest): DocumentOf<"exports"> | null {
  const { network } = view.ledger;
  if (view.latestEpoch === null) return null;
  const toFile = (reference: ExportReference, rows: number): ExportFile[] => {
    const { form, path } = OBJECTS[reference.kind];
    const key = toObjectKey(network, reference.kind, reference.names);
    const digest = findDigest(key);
    if (digest === null) return [];
    const { bytes, sha256 } = digest;
    const epoch = "epoch" in reference.names ? reference.names.epoch : null;
    const table = path === "events" ? "events" : "history";
    return [{ path: `/${key}`, table, format: FORMS[form].extension, epoch, rows, bytes, sha256 }];
  };
  const events = toEventsTable(view)?.rows.length ?? 0;
  const epochs = [...view.closedEpochs()].sort((a, b) => b - a);
  const data = [
    ...OF_EVENTS.flatMap((reference) => toFile(reference, events)),
    ...epochs.flatMap((epoch) => {
      const rows = countHistoryRows(view, epoch);
      return ofClosedEpoch(epoch).flatMap((reference) => toFile(reference, rows));
    }),
  ];
  return { data, meta: { network, total: data.length } };
}
