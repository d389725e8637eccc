import { ErrorBoundary } from "preact-iso";
import { useMemo } from "preact/hooks";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { lazily } from "../../app/lazily.ts";
import { useUrl } from "../../app/use-url.ts";
import { toCounted, toPercent } from "../../format/amounts.ts";
import { toSides } from "../../format/commissions.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Figures } from "../../parts/Figures.tsx";
import { EpochsChoice } from "./EpochsChoice.tsx";
import { countDiffering, countRestless, toSpan } from "./commissions.ts";
import { readEpochs, takeNewest } from "./ranges.ts";

const CommissionChart = lazily(() => import("./CommissionChart.tsx"));

interface CommissionHistoryProps {
  network: Network;
  votePubkey: string;
  events: readonly CommissionEvent[];
}

/** Announced and paid commission by epoch, with its changes. */
export function CommissionHistory({ network, votePubkey, events }: CommissionHistoryProps) {
  const { query } = useUrl();
  const reading = useDocument(documents.commissionHistory(network, votePubkey));
  const all = reading.held?.document.data;
  const epochs = readEpochs(query);
  // The same arrays as long as nothing changed: a chart is made anew for others.
  const points = useMemo(() => takeNewest(all ?? [], epochs), [all, epochs]);
  const shown = useMemo(() => {
    const first = points[0]?.epoch ?? 0;
    return events.filter(({ epoch }) => epoch >= first);
  }, [points, events]);
  return (
    <Card title="Commission by epoch" tools={<EpochsChoice />} class="commission-history">
      <Document
        reading={reading}
        lines={8}
        isEmpty={({ data }) => data.length === 0}
        empty="No epoch of it is on record yet."
      >
        {() => (
          <>
            <h3>Inflation</h3>
            <p class="quiet">{toInflationSentence(points, shown)}</p>
            <div class="chart-place">
              <ErrorBoundary>
                <CommissionChart points={points} events={shown} source="COMMISSION" />
              </ErrorBoundary>
            </div>
            <h3>MEV</h3>
            <p class="quiet">{toMevSentence(points)}</p>
            {points.some(({ mevCommission }) => mevCommission !== null) && (
              <div class="chart-place">
                <ErrorBoundary>
                  <CommissionChart points={points} events={shown} source="MEV" />
                </ErrorBoundary>
              </div>
            )}
            <CommissionTable points={points} events={shown} />
          </>
        )}
      </Document>
    </Card>
  );
}

/** The chart of inflation commission in words. */
function toInflationSentence(points: readonly CommissionPoint[], events: readonly CommissionEvent[]): string {
  const announced = toSpan(points.map(({ commission }) => commission));
  if (announced === null) return "What it announced is not known.";
  return [`${toSpanText(announced, "It announced")}.`, toPaidSentence(points), toRestlessSentence(events)].join(" ");
}

function toPaidSentence(points: readonly CommissionPoint[]): string {
  const { known, differing } = countDiffering(points);
  if (known === 0) return "What was paid is not known.";
  if (differing === 0) return "What it announced at the end of each epoch is what the rewards of the epoch paid.";
  return `In ${differing} of ${toCounted(known, "epoch")} the rewards paid another rate than the one announced at the end of the epoch.`;
}

function toRestlessSentence(events: readonly CommissionEvent[]): string {
  const epochs = countRestless(events);
  if (epochs === 0) return "";
  return `In ${toCounted(epochs, "epoch")} it changed more than once: what counts is what stood at the end.`;
}

/** The chart of MEV commission in words. */
function toMevSentence(points: readonly CommissionPoint[]): string {
  const values = points.map(({ mevCommission }) => mevCommission);
  const span = toSpan(values);
  if (span === null) return "Off, or not known, in every epoch shown.";
  const gap = values.includes(null) ? " Where there is no line it was off, or is not known." : "";
  return `${toSpanText(span, "It took")}.${gap}`;
}

function toSpanText({ least, most }: { least: number; most: number }, verb: string): string {
  return least === most ? `${verb} ${toPercent(least)}` : `${verb} between ${toPercent(least)} and ${toPercent(most)}`;
}

/** All that the charts show, for who cannot see them or wants the figures. */
function CommissionTable({
  points,
  events,
}: {
  points: readonly CommissionPoint[];
  events: readonly CommissionEvent[];
}) {
  const byEpoch = Map.groupBy(events.toReversed(), ({ epoch }) => epoch);
  return (
    <Figures title="Commission by epoch" columns={["Epoch", "Announced", "Paid", "MEV", "Changes"]}>
      {points.toReversed().map((point) => (
        <tr key={point.epoch}>
          <th scope="row">{point.epoch}</th>
          <td>{toPercent(point.commission)}</td>
          <td>{toPercent(point.appliedCommission)}</td>
          <td>{point.mevCommission === null ? "off or not known" : toPercent(point.mevCommission)}</td>
          <td>{toChanges(byEpoch.get(point.epoch) ?? [])}</td>
        </tr>
      ))}
    </Figures>
  );
}

function toChanges(events: readonly CommissionEvent[]): string {
  return events.map((event) => `${event.source === "MEV" ? "MEV " : ""}${toSides(event).join(" → ")}`).join(", ");
}
