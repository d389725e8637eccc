import { useMemo } from "preact/hooks";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toSides } from "../../format/events.ts";
import { OFF_OR_NOT_KNOWN, toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Figures } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { toInflationSentence, toMevSentence } from "./history-sentences.ts";
import { EpochsChoice, readEpochs, takeNewest } from "./NewestChoice.tsx";
import { RateChart } from "./RateChart.tsx";

interface CommissionHistoryProps {
  network: Network;
  votePubkey: string;
  events: readonly CommissionEvent[];
}

export function CommissionHistory({ network, votePubkey, events }: CommissionHistoryProps) {
  const { query } = useUrl();
  const resource = useDocument(documents.commissionHistory(network, votePubkey));
  const all = resource.held?.document.data;
  const epochs = readEpochs(query);
  const points = useMemo(() => takeNewest(all ?? [], epochs), [all, epochs]);
  const shown = useMemo(() => {
    const first = points[0]?.epoch ?? 0;
    return events.filter(({ epoch }) => epoch >= first);
  }, [points, events]);
  return (
    <Card title="Commission by epoch" tools={<EpochsChoice />}>
      <Document
        resource={resource}
        lines={8}
        isEmpty={({ data }) => data.length === 0}
        empty="We have no epoch of this validator on record yet."
      >
        {() => (
          <>
            <h3>Inflation</h3>
            <p class="quiet">{toInflationSentence(points, shown)}</p>
            <RateChart points={points} events={shown} source="COMMISSION" />
            <h3>MEV</h3>
            <p class="quiet">{toMevSentence(points)}</p>
            {hasMoved(points.map(({ mevCommission }) => mevCommission)) && (
              <RateChart points={points} events={shown} source="MEV" />
            )}
            <CommissionTable points={points} events={shown} />
          </>
        )}
      </Document>
    </Card>
  );
}

function CommissionTable({
  points,
  events,
}: {
  points: readonly CommissionPoint[];
  events: readonly CommissionEvent[];
}) {
  const byEpoch = Map.groupBy(events.toReversed(), ({ epoch }) => epoch);
  return (
    <Figures
      title="Commission by epoch"
      columns={["Epoch", "Announced", "Paid", "Measured", "MEV", "Changes"]}
    >
      {points.toReversed().map((point) => (
        <tr key={point.epoch}>
          <th scope="row">{point.epoch}</th>
          <td>{toPercent(point.commission)}</td>
          <td>{toPercent(point.appliedCommission)}</td>
          <td>{toMeasured(point)}</td>
          <td>
            {point.mevCommission === null ? OFF_OR_NOT_KNOWN : toPercent(point.mevCommission)}
          </td>
          <td>{toChanges(byEpoch.get(point.epoch) ?? [])}</td>
        </tr>
      ))}
    </Figures>
  );
}

const UNMEASURED: Record<NonNullable<CommissionPoint["paidCommissionUnknown"]>, string> = {
  no_rewards: "no rewards",
  no_account: "no account to measure",
  too_small: "rewards too small",
  not_read: "not read",
};

function toMeasured({ paidCommission, paidCommissionUnknown }: CommissionPoint): string {
  return paidCommissionUnknown === null
    ? toPercent(paidCommission)
    : UNMEASURED[paidCommissionUnknown];
}

function toChanges(events: readonly CommissionEvent[]): string {
  return events
    .map((event) => `${event.source === "MEV" ? "MEV " : ""}${toSides(event).join(" → ")}`)
    .join(", ");
}

/** A straight line shows nothing that its sentence does not say. */
function hasMoved(values: readonly (number | null)[]): boolean {
  return values.some((value) => value !== null) && new Set(values).size > 1;
}
