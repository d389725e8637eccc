import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Resource } from "../../api/use-document.ts";
import { findPriced, toCostOfLamports, toCostText, toMevCostText } from "../../format/cost.ts";
import { keepPercents, NOT_KNOWN } from "../../format/values.ts";
import { Change, SeverityBadge } from "../../parts/Change.tsx";
import { PaidThenNext } from "../../parts/PaidThenNext.tsx";
import { VerdictWord } from "../../parts/VerdictWord.tsx";
import { isIdle, type Holding } from "./holdings.ts";

export interface TermsProps {
  holding: Holding;
  /** The newest of all validators. */
  events: Resource<DocumentOf<"events">>;
}

export function Terms({ holding, events: { held, problem } }: TermsProps) {
  const { validator } = holding;
  const unknown = <span class="quiet">{NOT_KNOWN}</span>;
  return (
    <>
      <td role="cell">
        {validator === null ? (
          unknown
        ) : (
          <>
            <VerdictWord level={validator.verdict} />
            <span class="quiet wallet-reason">{keepPercents(validator.verdictReason.text)}</span>
          </>
        )}
      </td>
      <td role="cell">{validator === null ? unknown : <PaidThenNext of={validator} />}</td>
      <td role="cell">
        {held === null ? (
          <span class="quiet">{problem === null ? "…" : NOT_KNOWN}</span>
        ) : (
          <NewestChange document={held.document} holding={holding} />
        )}
      </td>
    </>
  );
}

function NewestChange({
  document: { data, meta },
  holding,
}: {
  document: DocumentOf<"events">;
  holding: Holding;
}) {
  const events = data.filter(
    ({ votePubkey, replacedBy }) => votePubkey === holding.votePubkey && replacedBy === null,
  );
  const [newest] = events;
  if (newest === undefined) return <span class="quiet">none{toWhereText(meta)}</span>;
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

/** " in epochs 1068 to 1072" */
function toWhereText({ latestEpoch, epochs }: DocumentOf<"events">["meta"]): string {
  if (latestEpoch === null) return "";
  const first = Math.max(0, latestEpoch - epochs + 1);
  return first === latestEpoch ? ` in epoch ${first}` : ` in epochs ${first} to ${latestEpoch}`;
}
