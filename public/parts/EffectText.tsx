import type { Epoch } from "../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { apiNow } from "../app/clock.ts";
import { isRise } from "../format/commissions.ts";
import { toEffect, toEpochs } from "../format/epochs.ts";
import { toDuration } from "../format/times.ts";

/** From which epoch a change is paid and how long that is: a rise "costs", anything else "applies". */
export function EffectText({ event, epoch }: { event: CommissionEvent; epoch: Epoch | null }) {
  const effect = toEffect(event, epoch, apiNow.value);
  const epochs = toEpochs(event);
  if (effect.kind === "steps") return <span class="effect">in steps, listed too</span>;
  if (effect.kind === "never") return <span class="effect">never paid</span>;
  if (epochs === null) return <span class="quiet">not known</span>;
  const verb = isRise(event) ? "costs" : "applies";
  return (
    <span class={effect.kind === "from" && isRise(event) ? "effect effect-ahead" : "effect"}>
      {verb} {effect.kind === "since" ? "since" : "from"} {epochs}
      {effect.kind === "since" && effect.epochsAgo !== null && (
        <span class="quiet">{effect.epochsAgo === 0 ? "this epoch" : toEpochsAgo(effect.epochsAgo)}</span>
      )}
      {effect.kind === "from" && effect.inMilliseconds !== null && (
        <strong>in {toDuration(effect.inMilliseconds)}</strong>
      )}
      {!event.effectiveEpochFinal && <span class="quiet">provisional</span>}
    </span>
  );
}

function toEpochsAgo(epochs: number): string {
  return epochs === 1 ? "1 epoch ago" : `${epochs} epochs ago`;
}
