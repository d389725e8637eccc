import type { ExportFile, FindDigest } from "../../contract/export.ts";
import { FORMS } from "../../contract/forms.ts";
import { toObjectKey } from "../../contract/object-keys.ts";
import type { ObjectNames } from "../../contract/object-kind.ts";
import {
  OBJECTS,
  type DocumentOf,
  type ObjectKind,
  type ObjectReference,
} from "../../contract/objects.ts";
import type { View } from "../view.ts";
import { monthsOfUptime } from "./uptime.ts";

/**
 * Lists exports with the rows, sizes and hashes that the publisher knows; computing them here
 * would render every file again. Tables of one file come first, then the newest.
 */
export function renderExports(view: View, findDigest: FindDigest): DocumentOf<"exports"> | null {
  const { network } = view.ledger;
  if (view.latestEpoch === null) return null;
  const epochs = [...view.closedEpochs()].sort((one, other) => other - one);
  const data = [
    ...listFiles([{}], { view, findDigest, named: "none" }),
    ...listFiles(
      monthsOfUptime(view).map((month) => ({ month })),
      { view, findDigest, named: "month" },
    ),
    ...listFiles(
      epochs.map((epoch) => ({ epoch })),
      { view, findDigest, named: "epoch" },
    ),
  ];
  return { data, meta: { network, total: data.length } };
}

function listFiles<Named extends "none" | "month" | "epoch">(
  names: readonly ObjectNames[Named][],
  { view, findDigest, named }: { view: View; findDigest: FindDigest; named: Named },
): ExportFile[] {
  const kinds = (Object.keys(OBJECTS) as ObjectKind[]).filter(
    (kind) => "table" in OBJECTS[kind] && OBJECTS[kind].named === named,
  );
  return names.flatMap((each) =>
    kinds.flatMap((kind) => toFile(view, { kind, names: each } as ObjectReference, findDigest)),
  );
}

function toFile(
  view: View,
  { kind, names }: ObjectReference,
  findDigest: FindDigest,
): ExportFile[] {
  const row = OBJECTS[kind];
  const key = toObjectKey(view.ledger.network, kind, names);
  const digest = findDigest(key);
  if (!("table" in row) || digest === null) return [];
  const { bytes, sha256, rows = 0 } = digest;
  return [
    {
      path: `/${key}`,
      table: row.table,
      format: FORMS[row.form].extension,
      epoch: "epoch" in names ? names.epoch : null,
      month: "month" in names ? names.month : null,
      rows,
      bytes,
      sha256,
    },
  ];
}
