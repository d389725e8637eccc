import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { RUG_PERCENT } from "../../../generator/contract/severity.ts";
import type { StandingRug } from "../../../generator/contract/standing-rugs.ts";
import type { Resource } from "../../api/use-document.ts";
import { type Charge, toNextCharges } from "../../format/charges.ts";
import { toAddress } from "../../format/url.ts";
import { toCounted, toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Change, ChargesText, PayText } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { PaidSparkline } from "../../parts/PaidSparkline.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Sol } from "../../parts/values.tsx";
import { type Keeper, toWorst } from "./worst.ts";

type RugsDocument = DocumentOf<"rugsPerEpoch">;

export function WorstNow({
  resource,
  epoch,
}: {
  resource: Resource<RugsDocument>;
  epoch: Epoch | null;
}) {
  return (
    <Card title="The worst now" anchor="worst" class="worst-now">
      <Document resource={resource} lines={5}>
        {({ meta }) => {
          const worst = toWorst(meta);
          return (
            <>
              <Headline isEmpty={worst.length === 0} />
              <ol class="worst-list">
                {worst.map((each) =>
                  "event" in each ? (
                    <RugRow key={each.votePubkey} rug={each} epoch={epoch} />
                  ) : (
                    <KeeperRow key={each.votePubkey} keeper={each} epoch={epoch} />
                  ),
                )}
              </ol>
              <AllOfThem keeping={meta.keeping} />
            </>
          );
        }}
      </Document>
    </Card>
  );
}

function Headline({ isEmpty }: { isEmpty: boolean }) {
  const rate = toPercent(RUG_PERCENT);
  if (isEmpty) return <p class="worst-headline">No validator takes {rate} or more.</p>;
  return (
    <p class="quiet">
      They keep {rate} or more of inflation rewards or, where it says so, of MEV tips, or will in an
      epoch ahead. First come those that raised a commission to it, then those whose rise a later
      epoch charges, then those that always kept as much: the largest stake first.
    </p>
  );
}

/** The list above has the worst; these have all, each by what it is that they keep. */
function AllOfThem({ keeping: { inflation, mev } }: { keeping: RugsDocument["meta"]["keeping"] }) {
  const { network } = useUrl();
  return (
    <p class="note worst-all">
      <a href={toAddress("/validators", { sort: "applied", network })}>
        All {toCounted(inflation.validators, "validator")} that keep {toPercent(RUG_PERCENT)} or
        more of inflation rewards
      </a>
      <a href={toAddress("/validators", { sort: "mev", network })}>
        All {toCounted(mev.validators, "validator")} that keep as much of MEV tips
      </a>
    </p>
  );
}

function RugRow({ rug, epoch }: { rug: StandingRug; epoch: Epoch | null }) {
  const { event, iconUrl, activeStake, appliedCommissions } = rug;
  return (
    <li class="worst-row">
      <ValidatorName votePubkey={event.votePubkey} name={event.validatorName} iconUrl={iconUrl} />
      <Change event={event} />
      <span class="worst-paid">
        <PaidSparkline paid={appliedCommissions} />
      </span>
      <PayText event={event} rates={rug} epoch={epoch} />
      <Sol lamports={activeStake.lamports} />
    </li>
  );
}

function KeeperRow({ keeper, epoch }: { keeper: Keeper; epoch: Epoch | null }) {
  const { votePubkey, name, iconUrl, activeStake, appliedCommissions } = keeper;
  return (
    <li class="worst-row">
      <ValidatorName votePubkey={votePubkey} name={name} iconUrl={iconUrl} />
      <span class="change change-rise">
        <span class="change-source">Inflation</span>{" "}
        <strong>{toPercent(keeper.appliedCommission)}</strong>
      </span>
      <span class="worst-paid">
        <PaidSparkline paid={appliedCommissions} />
      </span>
      <span class="effect">
        {toSinceText(appliedCommissions)}
        <Later charges={epoch === null ? [] : toNextCharges(keeper, epoch.epoch)} epoch={epoch} />
      </span>
      <Sol lamports={activeStake.lamports} />
    </li>
  );
}

/** "costs in each of the newest 11 epochs on record" */
export function toSinceText(paid: readonly (number | null)[]): string {
  const known = paid.filter((rate) => rate !== null);
  return known.every((rate) => rate >= RUG_PERCENT)
    ? `costs in each of the ${toCounted(known.length, "epoch")} that we know`
    : "costs now";
}

function Later({ charges, epoch }: { charges: readonly Charge[]; epoch: Epoch | null }) {
  if (epoch === null || charges.length < 2) return null;
  return (
    <>
      <br />
      <ChargesText charges={charges} epoch={epoch} />
    </>
  );
}
