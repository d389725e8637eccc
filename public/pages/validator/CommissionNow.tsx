import type { ComponentChildren } from "preact";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Profile } from "../../../generator/contract/validator.ts";
import { apiNow } from "../../api/clock.ts";
import type { Reading } from "../../api/use-document.ts";
import { toEffect, toEpochs } from "../../format/events.ts";
import { toDuration, toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";

interface CommissionNowProps {
  reading: Reading<{ data: Profile }>;
  events: readonly CommissionEvent[];
  /** null: not read yet, or it cannot be had. */
  epoch: Epoch | null;
}

/** What it says that it takes, what it takes, and from when the one becomes the other. */
export function CommissionNow({ reading, events, epoch }: CommissionNowProps) {
  return (
    <Card title="What it takes" class="commission-now">
      <Document reading={reading} lines={3}>
        {({ data }) => (
          <>
            <dl class="figures-line">
              <Figure name="Inflation, announced" value={toPercent(data.commission)} />
              <Figure name="Inflation, paid this epoch" value={toPercent(data.appliedCommission)} />
              <Figure
                name={`MEV, epoch ${data.mev.epoch}`}
                value={data.mev.mevCommission === null ? "off or not known" : toPercent(data.mev.mevCommission)}
              />
              <Figure name="Priority fees" value={toPercent(data.mev.priorityFeeCommission)} />
            </dl>
            <Difference profile={data} upcoming={epoch === null ? [] : toUpcoming(events, epoch.epoch)} epoch={epoch} />
            <p class="quiet">
              An inflation commission is paid later than it is announced: the rewards of an epoch pay the rate that
              stood at the end of the epoch two before it, sooner only for an account that is new to the validator set.
              A MEV commission is paid at once.
            </p>
          </>
        )}
      </Document>
    </Card>
  );
}

interface DifferenceProps {
  profile: Profile;
  upcoming: readonly Upcoming[];
  epoch: Epoch | null;
}

/** The difference of this very moment in a sentence; nothing where there is none. */
function Difference({ profile: { commission, appliedCommission, listed }, upcoming, epoch }: DifferenceProps) {
  const differs = commission !== null && appliedCommission !== null && commission !== appliedCommission;
  if (!listed || (!differs && upcoming.length === 0)) return null;
  return (
    <p class="difference">
      {differs && (
        <>
          It announces <strong>{toPercent(commission)}</strong>, but this epoch's rewards pay{" "}
          <strong>{toPercent(appliedCommission)}</strong>.{" "}
        </>
      )}
      {upcoming.map((each) => (
        <UpcomingText key={`${each.effectiveEpoch} ${each.effectiveEpochLatest}`} upcoming={each} epoch={epoch} />
      ))}
    </p>
  );
}

function UpcomingText({ upcoming, epoch }: { upcoming: Upcoming; epoch: Epoch | null }) {
  const effect = toEffect({ ...upcoming, supersededBy: null, replacedBy: null }, epoch, apiNow.value);
  return (
    <>
      From {toEpochs(upcoming)}
      {effect.kind === "from" && effect.inMilliseconds !== null && ` (in ${toDuration(effect.inMilliseconds)})`} they
      pay <strong>{toPercent(upcoming.commission)}</strong>.{" "}
    </>
  );
}

/** One figure of a line of them, within a `dl`. */
function Figure({ name, value }: { name: string; value: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** A rate that is announced but not yet paid. */
interface Upcoming {
  /** First epoch that pays it, or the first and the last of those of which it is one. */
  effectiveEpoch: number;
  effectiveEpochLatest: number;
  /** In percent; null: not known. */
  commission: number | null;
}

/** The inflation commissions that later epochs will pay by what was announced so far, soonest first. */
export function toUpcoming(
  newestFirst: readonly Pick<
    CommissionEvent,
    "source" | "effectiveEpoch" | "effectiveEpochLatest" | "supersededBy" | "toCommission"
  >[],
  runningEpoch: number,
): Upcoming[] {
  const byEpochs = new Map<string, Upcoming>();
  for (const { source, effectiveEpoch, effectiveEpochLatest, supersededBy, toCommission } of newestFirst) {
    if (source !== "COMMISSION" || supersededBy !== null) continue;
    if (effectiveEpoch === null || effectiveEpochLatest === null || effectiveEpochLatest <= runningEpoch) continue;
    // Of several changes that the same epoch would be the first to pay only the last one comes to it.
    const epochs = `${effectiveEpoch} ${effectiveEpochLatest}`;
    if (!byEpochs.has(epochs)) byEpochs.set(epochs, { effectiveEpoch, effectiveEpochLatest, commission: toCommission });
  }
  return [...byEpochs.values()].sort(
    (one, other) => one.effectiveEpoch - other.effectiveEpoch || one.effectiveEpochLatest - other.effectiveEpochLatest,
  );
}
