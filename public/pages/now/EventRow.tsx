import { useRef } from "preact/hooks";
import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { useUrl } from "../../app/use-url.ts";
import { Ago } from "../../parts/Ago.tsx";
import { Change } from "../../parts/Change.tsx";
import { EffectText } from "../../parts/EffectText.tsx";
import { SeverityBadge } from "../../parts/SeverityBadge.tsx";
import { Sol } from "../../parts/Sol.tsx";
import { useSeen } from "../../parts/use-seen.ts";
import { ValidatorName } from "../../parts/ValidatorName.tsx";

interface EventRowProps {
  event: CommissionEvent;
  epoch: Epoch | null;
  /** Epochs in which the validator rugged, of the last `epochs`. */
  rugs: number;
  epochs: number;
}

/** Rugs from this many epochs on are a habit. */
const HABIT_EPOCHS = 3;

/** One change. Stake and icon are the validator's own, read apart when the row is seen: without them it tells all the same. */
export function EventRow({ event, epoch, rugs, epochs }: EventRowProps) {
  const { network } = useUrl();
  const row = useRef<HTMLTableRowElement>(null);
  const isSeen = useSeen(row);
  const { held, problem } = useDocument(isSeen ? documents.validator(network, event.votePubkey) : null);
  const profile = held?.document.data;
  return (
    <tr ref={row} role="row" class={`event event-${event.severity.toLowerCase()}`}>
      <td role="cell" class="event-severity">
        <SeverityBadge severity={event.severity} />
      </td>
      <td role="cell" class="event-validator">
        <ValidatorName
          network={network}
          votePubkey={event.votePubkey}
          name={event.validatorName}
          iconUrl={profile?.iconUrl ?? null}
        />
        {rugs >= HABIT_EPOCHS && (
          <span class="habit">
            rug in {rugs} of {epochs} epochs
          </span>
        )}
      </td>
      <td role="cell" class="event-change">
        <Change event={event} />
      </td>
      <td role="cell" class="event-effect">
        <EffectText event={event} epoch={epoch} />
      </td>
      <td role="cell" class="event-stake">
        {profile === undefined ? (
          <span class="quiet">{problem === null ? "…" : "not known"}</span>
        ) : (
          <Sol lamports={profile.activeStake.lamports} />
        )}
      </td>
      <td role="cell" class="event-seen">
        {event.createdAt === null ? <span class="quiet">epoch {event.epoch}</span> : <Ago time={event.createdAt} />}
      </td>
    </tr>
  );
}
