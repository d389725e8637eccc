import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { documents } from "../../api/documents.ts";
import { type Resource, useDocument } from "../../api/use-document.ts";
import { toPercent } from "../../format/values.ts";
import { Change, SeverityBadge } from "../../parts/Change.tsx";
import { useUrl } from "../../parts/use-url.ts";

interface TermsProps {
  votePubkey: string;
  profile: Resource<DocumentOf<"validator">>;
  isIdle: boolean;
}

/** What a validator takes, and how that changed last: two cells. What else is said of it to its delegators belongs here. */
export function Terms({ votePubkey, profile, isIdle }: TermsProps) {
  const { network } = useUrl();
  const { held, problem } = profile;
  const events = useDocument(documents.validatorEvents(network, votePubkey));
  const newest = events.held?.document.data.find(({ replacedBy }) => (replacedBy ?? null) === null);
  return (
    <>
      <td>
        {held === null ? (
          <span class="quiet">{problem === null ? "…" : "not known"}</span>
        ) : (
          <Commission profile={held.document.data} isIdle={isIdle} />
        )}
      </td>
      <td>
        {newest !== undefined && (
          <>
            <SeverityBadge severity={newest.severity} /> <Change event={newest} />
            <span class="quiet"> epoch {newest.epoch}</span>
          </>
        )}
        {newest === undefined && (
          <span class="quiet">{events.held === null ? (events.problem === null ? "…" : "not known") : "none"}</span>
        )}
      </td>
    </>
  );
}

function Commission({ profile, isIdle }: { profile: DocumentOf<"validator">["data"]; isIdle: boolean }) {
  const { commission, appliedCommission } = profile;
  return (
    <>
      {toPercent(commission)} announced
      {!isIdle && (
        <span class={isHigher(appliedCommission, commission) ? "wallet-applied wallet-higher" : "wallet-applied"}>
          {toPercent(appliedCommission)} applied this epoch
        </span>
      )}
    </>
  );
}

function isHigher(applied: number | null, announced: number | null): boolean {
  return applied !== null && announced !== null && applied > announced;
}
