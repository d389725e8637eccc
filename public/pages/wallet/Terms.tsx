import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { documents } from "../../api/documents.ts";
import { type Resource, useDocument } from "../../api/use-document.ts";
import { findPriced, toCostOfLamports, toCostText, toMevCostText } from "../../format/cost.ts";
import { NOT_KNOWN, toPercent } from "../../format/values.ts";
import { Change, SeverityBadge } from "../../parts/Change.tsx";
import { VerdictWord } from "../../parts/VerdictWord.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { isIdle, type Holding } from "./holdings.ts";

interface TermsProps {
  holding: Holding;
  profile: Resource<DocumentOf<"validator">>;
}

export function Terms({ holding, profile: { held, problem } }: TermsProps) {
  const { network } = useUrl();
  const events = useDocument(documents.validatorEvents(network, holding.votePubkey));
  const known = held?.document.data;
  const waiting = <span class="quiet">{problem === null ? "…" : NOT_KNOWN}</span>;
  return (
    <>
      <td role="cell">
        {known === undefined && waiting}
        {known !== undefined && (
          <>
            <VerdictWord level={known.verdict.level} />{" "}
            <span class="wallet-reason">{known.verdict.reasons[0]?.text}</span>
          </>
        )}
      </td>
      <td role="cell">
        {known === undefined ? waiting : <Commission profile={known} isIdle={isIdle(holding)} />}
      </td>
      <td role="cell">
        {events.held === null ? (
          <span class="quiet">{events.problem === null ? "…" : NOT_KNOWN}</span>
        ) : (
          <NewestChange events={events.held.document.data} holding={holding} />
        )}
      </td>
    </>
  );
}

function NewestChange({
  events,
  holding,
}: {
  events: readonly CommissionEvent[];
  holding: Holding;
}) {
  const newest = events.find(({ replacedBy }) => (replacedBy ?? null) === null);
  if (newest === undefined) return <span class="quiet">no changes</span>;
  const priced = isIdle(holding) ? null : findPriced(events);
  const mevCost = isIdle(holding) ? null : (newest.mevCost ?? null);
  return (
    <>
      <SeverityBadge severity={newest.severity} /> <Change event={newest} />
      <span class="quiet"> epoch {newest.epoch}</span>
      {mevCost !== null && (
        <span class="wallet-cost">
          You get {toMevCostText(toCostOfLamports(mevCost, holding.lamports), mevCost)} in epoch{" "}
          {mevCost.basis.epoch}
        </span>
      )}
      {priced !== null && (
        <span class="wallet-cost">
          {priced === newest ? "You get" : "An earlier change: you get"}{" "}
          {toCostText(toCostOfLamports(priced.cost, holding.lamports))} per epoch
        </span>
      )}
    </>
  );
}

function Commission({
  profile,
  isIdle,
}: {
  profile: DocumentOf<"validator">["data"];
  isIdle: boolean;
}) {
  const { commission, appliedCommission } = profile;
  return (
    <>
      {toPercent(commission)} announced
      {!isIdle && (
        <span
          class={
            isHigher(appliedCommission, commission)
              ? "wallet-applied wallet-higher"
              : "wallet-applied"
          }
        >
          {toPercent(appliedCommission)} paid this epoch
        </span>
      )}
    </>
  );
}

function isHigher(applied: number | null, announced: number | null): boolean {
  return applied !== null && announced !== null && applied > announced;
}
