import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { RUG_RATE } from "../../../generator/contract/severity.ts";
import type { StandingRug, StandingRugs } from "../../../generator/contract/standing-rugs.ts";
import type { Resource } from "../../api/use-document.ts";
import { toAddress } from "../../format/url.ts";
import { toCount, toCounted, toPercent, toShortSol } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Change, EffectText } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { Term } from "../../parts/Term.tsx";
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

function Headline({
  standing: { validatorsPaid, validatorsAnnounced, activeStake },
}: {
  standing: StandingRugs;
}) {
  const isOne = validatorsPaid === 1;
  if (validatorsPaid + validatorsAnnounced === 0)
    return <p class="worst-headline">No validator takes {RUG_RATE} or more after a rise.</p>;
  return (
    <p class="worst-headline">
      <strong>{toCount(validatorsPaid)}</strong> {isOne ? "validator takes" : "validators take"}{" "}
      {RUG_RATE} or more after a rise (<Term of="RUG">rug</Term>)
      {validatorsPaid > 0 && (
        <>
          . Delegators have {toShortSol(activeStake.lamports)} SOL with {isOne ? "it" : "them"}
        </>
      )}
      .
      {validatorsAnnounced > 0 &&
        ` ${toCounted(validatorsAnnounced, "other")} announced such a rise for a later epoch.`}
    </p>
  );
}

function WorstRow({ worst, epoch }: { worst: StandingRug; epoch: Epoch | null }) {
  const { event, iconUrl, activeStake } = worst;
  const other = toOtherRate(worst);
  return (
    <li class="worst-row">
      <ValidatorName votePubkey={event.votePubkey} name={event.validatorName} iconUrl={iconUrl} />
      <span>
        <Change event={event} />
        {other !== null && <span class="quiet"> · {toPercent(other)} now</span>}
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
