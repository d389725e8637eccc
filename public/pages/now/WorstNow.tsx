import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Resource } from "../../api/use-document.ts";
import { toAddress } from "../../format/url.ts";
import { addStake, toCount, toShortSol } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Change, EffectText } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { Term } from "../../parts/Term.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Sol } from "../../parts/values.tsx";
import { rankWorst, type Worst } from "./worst.ts";

const ROWS = 6;

/** Who takes nearly everything at present, after a rise: what a delegator must know before all else. */
export function WorstNow({ resource, epoch }: { resource: Resource<DocumentOf<"events">>; epoch: Epoch | null }) {
  return (
    <Card title="The worst now" class="worst-now">
      <Document resource={resource} lines={5}>
        {({ data, meta }) => {
          const worst = rankWorst(data, meta.validators, epoch?.epoch ?? meta.latestEpoch ?? 0);
          return (
            <>
              <Headline worst={worst} epochs={meta.epochs} />
              <ol class="worst-list">
                {worst.slice(0, ROWS).map((each) => (
                  <WorstRow key={each.event.id} worst={each} epoch={epoch} />
                ))}
              </ol>
              {worst.length > ROWS && <More count={worst.length - ROWS} />}
            </>
          );
        }}
      </Document>
    </Card>
  );
}

function Headline({ worst, epochs }: { worst: readonly Worst[]; epochs: number }) {
  const paid = worst.filter(({ isPaid }) => isPaid);
  const stake = addStake(paid.flatMap(({ validator }) => validator?.activeStake.lamports ?? []));
  if (worst.length === 0)
    return <p class="worst-headline">Nobody takes 90 % or more after a rise in the last {epochs} epochs.</p>;
  return (
    <p class="worst-headline">
      <strong>{toCount(paid.length)}</strong> {paid.length === 1 ? "validator takes" : "validators take"} 90 % or more
      after a rise (<Term of="rug">rug</Term>)
      {paid.length > 0 && (
        <>
          ; {toShortSol(stake)} SOL is staked with {paid.length === 1 ? "it" : "them"}
        </>
      )}
      .{worst.length > paid.length && ` ${toCount(worst.length - paid.length)} more announced it for a later epoch.`}
    </p>
  );
}

function WorstRow({ worst: { event, validator }, epoch }: { worst: Worst; epoch: Epoch | null }) {
  return (
    <li class="worst-row">
      <ValidatorName votePubkey={event.votePubkey} name={event.validatorName} iconUrl={validator?.iconUrl ?? null} />
      <Change event={event} />
      <EffectText event={event} epoch={epoch} />
      {validator !== undefined && <Sol lamports={validator.activeStake.lamports} />}
    </li>
  );
}

function More({ count }: { count: number }) {
  const { network } = useUrl();
  return (
    <p class="note">
      <a href={toAddress("/", { severity: "RUG", network })}>All changes to 90 % or more</a>, {toCount(count)} more
      validators with one that stands.
    </p>
  );
}
