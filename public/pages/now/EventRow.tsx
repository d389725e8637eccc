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

/** One change. Stake and icon are the validator's own, read apart: without them the row tells all the same. */
export function EventRow({ event, epoch, rugs, epochs }: EventRowProps) {
  const { network } = useUrl();
  const profile = useDocument(documents.validator(network, event.votePubkey)).held?.document.data;
  return (
    <tr role="row" class={`event event-${event.severity.toLowerCase()}`}>
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
        {profile === undefined ? <span class="quiet">…</span> : <Sol lamports={profile.activeStake.lamports} />}
      </td>
      <td role="cell" class="event-seen">
        {event.createdAt === null ? <span class="quiet">epoch {event.epoch}</span> : <Ago time={event.createdAt} />}
      </td>
    </tr>
  );
}
