import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { RUG_RATE } from "../../../generator/contract/severity.ts";
import type { StandingRug, StandingRugs } from "../../../generator/contract/standing-rugs.ts";
import type { Resource } from "../../api/use-document.ts";
import { toAddress } from "../../format/url.ts";
import { toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Change, EffectText } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { PaidSparkline } from "../../parts/PaidSparkline.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Sol } from "../../parts/values.tsx";

const ROWS = 6;

export function WorstNow({
  resource,
  epoch,
}: {
  resource: Resource<DocumentOf<"rugsPerEpoch">>;
  epoch: Epoch | null;
}) {
  const { network } = useUrl();
  return (
    <Card title="The worst now" class="worst-now">
      <Document resource={resource} lines={5}>
        {({ meta: { standing } }) => (
          <>
            <Headline standing={standing} />
            <ol class="worst-list">
              {standing.worst.slice(0, ROWS).map((each) => (
                <WorstRow key={each.event.id} worst={each} epoch={epoch} />
              ))}
            </ol>
            {standing.validatorsPaid > 0 && (
              <p class="note">
                <a href={toAddress("/validators", { sort: "applied", network })}>
                  All validators, highest commission first
                </a>
              </p>
            )}
          </>
        )}
      </Document>
    </Card>
  );
}

/** The numbers above say how many. */
function Headline({ standing }: { standing: StandingRugs }) {
  if (standing.worst.length === 0)
    return <p class="worst-headline">No validator takes {RUG_RATE} or more after a rise.</p>;
  return (
    <p class="quiet">
      They raised a commission to {RUG_RATE} or more and have not taken it back. First those whose
      delegators pay it now, then by stake: the more SOL, the higher.
    </p>
  );
}

function WorstRow({ worst, epoch }: { worst: StandingRug; epoch: Epoch | null }) {
  const { event, iconUrl, activeStake, appliedCommissions } = worst;
  const other = toOtherRate(worst);
  return (
    <li class="worst-row">
      <ValidatorName votePubkey={event.votePubkey} name={event.validatorName} iconUrl={iconUrl} />
      <span>
        <Change event={event} />
        {other !== null && <span class="quiet"> · {toPercent(other)} now</span>}
      </span>
      <span class="worst-paid">
        <PaidSparkline paid={appliedCommissions} />
      </span>
      <EffectText event={event} epoch={epoch} />
      <Sol lamports={activeStake.lamports} />
    </li>
  );
}

function toOtherRate({ event, paid, appliedCommission }: StandingRug): number | null {
  const isOther = paid && event.source === "COMMISSION" && appliedCommission !== event.toCommission;
  return isOther ? appliedCommission : null;
}
