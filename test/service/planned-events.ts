import type { CommissionEvent, Source } from "../../generator/contract/event.ts";
import type { PlannedChange } from "../cluster/chain/planned-changes.ts";
import { findDocument } from "./documents.ts";
import type { Stage } from "./harness.ts";

export async function readEvents(
  { cluster, ...site }: Stage,
  source: Source,
): Promise<CommissionEvent[]> {
  const documents = await Promise.all(
    cluster.members.map(({ vote }) =>
      findDocument(site, "validatorEvents", { votePubkey: vote.address }),
    ),
  );
  return documents
    .flatMap((document) => document?.data ?? [])
    .filter((event) => event.source === source);
}

export const toPercent = (basisPoints: number | null) =>
  basisPoints === null ? null : Math.min(basisPoints, 10_000) / 100;

export function describePlanned({
  vote,
  source,
  epoch,
  fromBasisPoints,
  toBasisPoints,
  kind,
}: PlannedChange): string {
  const [from, to] = [toPercent(fromBasisPoints), toPercent(toBasisPoints)];
  return `${vote} ${source} in ${epoch}: ${from} → ${to} is ${kind}`;
}

export function describeEvent({
  votePubkey,
  source,
  epoch,
  fromCommission,
  toCommission,
  severity,
}: CommissionEvent) {
  return `${votePubkey} ${source} in ${epoch}: ${fromCommission} → ${toCommission} is ${severity}`;
}
