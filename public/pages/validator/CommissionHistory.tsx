import { useMemo } from "preact/hooks";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toSides } from "../../format/events.ts";
import { OFF_OR_NOT_KNOWN, toCounted, toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Figures } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
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

function toInflationSentence(
  points: readonly CommissionPoint[],
  events: readonly CommissionEvent[],
): string {
  const announced = toSpan(points.map(({ commission }) => commission));
  if (announced === null) return "Announced commission: not known.";
  return [
    `${toSpanText(announced, "This validator announced")}.`,
    toPaidSentence(points),
    toMeasuredSentence(points),
    toRestlessSentence(events),
  ].join(" ");
}

function toPaidSentence(points: readonly CommissionPoint[]): string {
  const { known, differing } = countDiffering(points);
  if (known === 0) return "Paid commission: not known.";
  if (differing === 0)
    return "The rewards of each epoch paid what it announced at the end of that epoch.";
  return `In ${differing} of ${toCounted(known, "epoch")} the rewards paid another rate than it announced at the end of that epoch.`;
}

/** Counts every dot of the drawing, and compares those of epochs whose rate we know. */
export function toMeasuredSentence(
  points: readonly Pick<CommissionPoint, "appliedCommission" | "paidCommission">[],
): string {
  const measured = points.filter(({ paidCommission }) => paidCommission !== null);
  const known = measured.filter(({ appliedCommission }) => appliedCommission !== null);
  const other = known.filter((point) => point.appliedCommission !== point.paidCommission);
  if (measured.length === 0) return "";
  const epochs = `We measured what delegators got in ${toCounted(measured.length, "epoch")}`;
  if (known.length === 0) return `${epochs}, whose rate we do not know otherwise.`;
  const ofKnown =
    known.length === measured.length ? "" : `, of which we know the rate in ${known.length}`;
  const result =
    other.length === 0 ? "it agrees" : `in ${other.length} the rewards took another rate`;
  return `${epochs}${ofKnown}: ${result}.`;
}

function toRestlessSentence(events: readonly CommissionEvent[]): string {
  const epochs = countRestless(events);
  if (epochs === 0) return "";
  return `It changed more than once in ${toCounted(epochs, "epoch")}: only the rate at the end of an epoch counts.`;
}

function toMevSentence(points: readonly CommissionPoint[]): string {
  const values = points.map(({ mevCommission }) => mevCommission);
  const span = toSpan(values);
  if (span === null) return "Off or not known in every epoch shown.";
  const gap = values.includes(null) ? " Gaps in the line: off or not known." : "";
  return `${toSpanText(span, "This validator took")}.${gap}`;
}

function toSpanText({ least, most }: { least: number; most: number }, verb: string): string {
  return least === most
    ? `${verb} ${toPercent(least)}`
    : `${verb} between ${toPercent(least)} and ${toPercent(most)}`;
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

/** Only epochs with both rates known. */
export function countDiffering(
  points: readonly Pick<CommissionPoint, "commission" | "appliedCommission">[],
): { known: number; differing: number } {
  const known = points.filter(
    ({ commission, appliedCommission }) => commission !== null && appliedCommission !== null,
  );
  return {
    known: known.length,
    differing: known.filter((point) => point.commission !== point.appliedCommission).length,
  };
}

/** Epochs with several changes: a raise just before the end is paid, and hardly anybody sees it. */
export function countRestless(
  events: readonly Pick<CommissionEvent, "source" | "epoch">[],
): number {
  const byEpoch = Map.groupBy(
    events.filter(({ source }) => source === "COMMISSION"),
    ({ epoch }) => epoch,
  );
  return [...byEpoch.values()].filter((of) => of.length > 1).length;
}

/** A straight line shows nothing that its sentence does not say. */
function hasMoved(values: readonly (number | null)[]): boolean {
  return values.some((value) => value !== null) && new Set(values).size > 1;
}

export function toSpan(values: readonly (number | null)[]): { least: number; most: number } | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : { least: Math.min(...known), most: Math.max(...known) };
}
