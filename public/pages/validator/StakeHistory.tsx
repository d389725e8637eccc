import { useMemo } from "preact/hooks";
import type { StakePoint } from "../../../generator/contract/history.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { NOT_KNOWN, toShortSol } from "../../format/values.ts";
import { Document } from "../../parts/Document.tsx";
import { ChartPlace, lazily } from "../../parts/Failed.tsx";
import { Figures } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Sol } from "../../parts/values.tsx";
import { readEpochs, takeNewest } from "./NewestChoice.tsx";

const StakeChart = lazily(async () => ({ default: (await import("./charts.tsx")).StakeChart }));

export function StakeHistory({ network, votePubkey }: { network: Network; votePubkey: string }) {
  const { query } = useUrl();
  const resource = useDocument(documents.stakeHistory(network, votePubkey));
  const all = resource.held?.document.data;
  const epochs = readEpochs(query);
  const points = useMemo(() => takeNewest(all ?? [], epochs), [all, epochs]);
  return (
    <Document
      resource={resource}
      lines={6}
      isEmpty={({ data }) => data.length === 0}
      empty="We have no epoch of this validator on record yet."
    >
      {() => (
        <>
          <p class="quiet">{toSentence(points)}</p>
          <ChartPlace>
            <StakeChart points={points} />
          </ChartPlace>
          <StakeTable points={points} />
        </>
      )}
    </Document>
  );
}

function toSentence(points: readonly StakePoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return "";
  return first === last ? `${toText(last)}.` : `From ${toText(first)} to ${toText(last)}.`;
}

/** Not of now, as the rank at the page's head is. */
function toText({ activeStake, rank, epoch }: StakePoint): string {
  const place = rank === null ? "" : ` (No. ${rank})`;
  return `${toShortSol(activeStake.lamports)} SOL${place} as epoch ${epoch} began`;
}

function StakeTable({ points }: { points: readonly StakePoint[] }) {
  return (
    <Figures title="Stake by epoch" columns={["Epoch", "Active stake", "Rank"]}>
      {points.toReversed().map(({ epoch, activeStake, rank }) => (
        <tr key={epoch}>
          <th scope="row">{epoch}</th>
          <td>
            <Sol lamports={activeStake.lamports} />
          </td>
          <td>{rank ?? NOT_KNOWN}</td>
        </tr>
      ))}
    </Figures>
  );
}
