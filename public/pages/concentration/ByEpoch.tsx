import type { EpochRow } from "../../../generator/contract/epochs.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { Sparkline } from "../../parts/Sparkline.tsx";

/** The Nakamoto coefficient by validator of every known epoch. Of places there is no history. */
export function ByEpoch({ network }: { network: Network }) {
  const rows = useDocument(documents.epochs(network)).held?.document.data ?? [];
  const known = toKnown(rows);
  const most = Math.max(1, ...known.map(({ count }) => count));
  const text = toByEpochText(rows);
  return (
    <div class="by-epoch">
      {text !== null && (
        <>
          <Sparkline values={known.map(({ count }) => (100 * count) / most)} title={text} />
          <p class="note">{text} We keep no history of places and clients.</p>
        </>
      )}
    </div>
  );
}

type Row = Pick<EpochRow, "epoch" | "nakamotoCoefficient">;

/** "By validator: 20 in epoch 1070, 19 in epoch 1138." null: fewer than two epochs are known. */
export function toByEpochText(oldestFirst: readonly Row[]): string | null {
  const known = toKnown(oldestFirst);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const counts = known.map(({ count }) => count);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === most)
    return `By validator: ${least} in every epoch from ${first.epoch} to ${last.epoch}.`;
  const between =
    least < Math.min(first.count, last.count) || most > Math.max(first.count, last.count)
      ? `, ${least} to ${most} between`
      : "";
  return `By validator: ${first.count} in epoch ${first.epoch}, ${last.count} in epoch ${last.epoch}${between}.`;
}

function toKnown(rows: readonly Row[]): { epoch: number; count: number }[] {
  return rows.flatMap(({ epoch, nakamotoCoefficient: count }) =>
    count === null ? [] : [{ epoch, count }],
  );
}
