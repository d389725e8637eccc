import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Profile } from "../../../generator/contract/validator.ts";
import type { Reading } from "../../api/use-document.ts";
import { apiNow } from "../../app/clock.ts";
import { toPercent } from "../../format/amounts.ts";
import { toEffect, toEpochs } from "../../format/epochs.ts";
import { toDuration } from "../../format/times.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Figure } from "./Figure.tsx";
import { toUpcoming, type Upcoming } from "./commissions.ts";

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
