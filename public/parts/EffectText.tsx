import type { Epoch } from "../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { apiNow } from "../app/clock.ts";
import { isRise } from "../format/commissions.ts";
import { toEffect } from "../format/epochs.ts";
import { toDuration } from "../format/times.ts";

/** From which epoch a change is paid and how long that is: a rise "costs", anything else "applies". */
export function EffectText({ event, epoch }: { event: CommissionEvent; epoch: Epoch | null }) {
  const effect = toEffect(event, epoch, apiNow.value);
  const verb = isRise(event) ? "costs" : "applies";
  if (effect.kind === "unknown")
    return event.effectiveEpoch === null ? (
      <span class="quiet">not known</span>
    ) : (
      <span class="effect">
        {verb} from epoch {event.effectiveEpoch}
      </span>
    );
  if (effect.kind === "since")
    return (
      <span class="effect">
        {verb} since epoch {effect.epoch}
        <span class="quiet">{effect.epochsAgo === 0 ? "this epoch" : toEpochsAgo(effect.epochsAgo)}</span>
      </span>
    );
  return (
    <span class={isRise(event) ? "effect effect-ahead" : "effect"}>
      {verb} from epoch {effect.epoch}
      {effect.inMilliseconds !== null && <strong>in {toDuration(effect.inMilliseconds)}</strong>}
    </span>
  );
}

function toEpochsAgo(epochs: number): string {
  return epochs === 1 ? "1 epoch ago" : `${epochs} epochs ago`;
}
