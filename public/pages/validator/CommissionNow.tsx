import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Profile } from "../../../generator/contract/validator.ts";
import { apiNow } from "../../api/clock.ts";
import type { Resource } from "../../api/use-document.ts";
import { toEffect, toEpochs, toPatternText } from "../../format/events.ts";
import { toDuration, toMevText, toPercent } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Term } from "../../parts/Term.tsx";

interface CommissionNowProps {
  resource: Resource<{ data: Profile }>;
  events: readonly CommissionEvent[];
  epoch: Epoch | null;
}

export function CommissionNow({ resource, events, epoch }: CommissionNowProps) {
  return (
    <Card title="What it takes" anchor="takes" folds="on phones">
      <Document resource={resource} lines={3}>
        {({ data }) => (
          <>
            <dl class="facts rates">
              <Fact
                name={
                  <>
                    Inflation, <Term of="Paid commission">paid this epoch</Term>
                  </>
                }
              >
                <strong>{toPercent(data.appliedCommission)}</strong>
              </Fact>
              <Fact
                name={
                  <>
                    Inflation, <Term of="Announced commission">announced</Term>
                  </>
                }
              >
                {toPercent(data.commission)}
              </Fact>
              <Fact
                name={
                  <>
                    <Term of="MEV commission">MEV</Term>, epoch {data.mev.epoch}
                  </>
                }
              >
                {toMevText(data)}
              </Fact>
              <Fact name={<Term of="Priority fees">Priority fees</Term>}>
                {toPercent(data.mev.priorityFeeCommission)}
              </Fact>
              <Fact name={<Term of="Block revenue commission">Block revenue</Term>}>
                {toPercent(data.blockRevenueCommission)}
              </Fact>
            </dl>
            <Difference
              profile={data}
              upcoming={epoch === null ? [] : toUpcoming(events, epoch.epoch)}
              epoch={epoch}
            />
            {data.pattern !== null && !isInVerdict(data) && (
              <p class="difference">{toPatternText(data.pattern)}</p>
            )}
            <p class="quiet">
              {epoch === null
                ? "The rewards of an epoch pay the inflation commission that stood at the end of the epoch two before it."
                : `A rate still set when epoch ${epoch.epoch} ends is charged in epoch ${epoch.epoch + 2}.`}{" "}
              A vote account new to the validator set pays sooner. A new MEV commission counts at
              once.
            </p>
          </>
        )}
      </Document>
    </Card>
  );
}

/** The verdict tells of a pattern that is still paid, with the same epochs. */
function isInVerdict({ verdict }: Profile): boolean {
  return verdict.reasons.some(({ code }) => code === "serial_flip");
}

interface DifferenceProps {
  profile: Profile;
  upcoming: readonly Upcoming[];
  epoch: Epoch | null;
}

function Difference({
  profile: { commission, appliedCommission, listed },
  upcoming,
  epoch,
}: DifferenceProps) {
  const differs =
    commission !== null && appliedCommission !== null && commission !== appliedCommission;
  if (!listed || (!differs && upcoming.length === 0)) return null;
  return (
    <p class="difference">
      {differs && (
        <>
          It announces <strong>{toPercent(commission)}</strong>, but the rewards of this epoch pay{" "}
          <strong>{toPercent(appliedCommission)}</strong>.{" "}
        </>
      )}
      {upcoming.map((each) => (
        <UpcomingText
          key={`${each.effectiveEpoch} ${each.effectiveEpochLatest}`}
          upcoming={each}
          epoch={epoch}
        />
      ))}
    </p>
  );
}

function UpcomingText({ upcoming, epoch }: { upcoming: Upcoming; epoch: Epoch | null }) {
  const effect = toEffect(
    { ...upcoming, supersededBy: null, replacedBy: null },
    epoch,
    apiNow.value,
  );
  return (
    <>
      From {toEpochs(upcoming)}
      {effect.kind === "from" &&
        effect.inMilliseconds !== null &&
        ` (in ${toDuration(effect.inMilliseconds)})`}{" "}
      rewards pay <strong>{toPercent(upcoming.commission)}</strong>.{" "}
    </>
  );
}

interface Upcoming {
  /** Differs from the next field if several epochs can be the first. */
  effectiveEpoch: number;
  effectiveEpochLatest: number;
  commission: number | null;
}

export function toUpcoming(
  newestFirst: readonly Pick<
    CommissionEvent,
    "source" | "effectiveEpoch" | "effectiveEpochLatest" | "supersededBy" | "toCommission"
  >[],
  runningEpoch: number,
): Upcoming[] {
  const byEpochs = new Map<string, Upcoming>();
  for (const {
    source,
    effectiveEpoch,
    effectiveEpochLatest,
    supersededBy,
    toCommission,
  } of newestFirst) {
    if (source !== "COMMISSION" || supersededBy !== null) continue;
    if (
      effectiveEpoch === null ||
      effectiveEpochLatest === null ||
      effectiveEpochLatest <= runningEpoch
    )
      continue;
    // The last of several changes for one epoch counts.
    const epochs = `${effectiveEpoch} ${effectiveEpochLatest}`;
    if (!byEpochs.has(epochs))
      byEpochs.set(epochs, { effectiveEpoch, effectiveEpochLatest, commission: toCommission });
  }
  return [...byEpochs.values()].sort(
    (one, other) =>
      one.effectiveEpoch - other.effectiveEpoch ||
      one.effectiveEpochLatest - other.effectiveEpochLatest,
  );
}
