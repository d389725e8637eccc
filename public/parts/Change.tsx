import type { Epoch } from "../../generator/contract/epoch.ts";
import type { CommissionEvent, Severity } from "../../generator/contract/event.ts";
import type { Pattern } from "../../generator/contract/pattern.ts";
import type { Validator } from "../../generator/contract/validator.ts";
import { apiNow } from "../api/clock.ts";
import { type Charge, toCharges } from "../format/charges.ts";
import {
  isRise,
  SOURCE_NAMES,
  toEffect,
  toEpochs,
  toPatternBrief,
  toSides,
  toStartOf,
} from "../format/events.ts";
import { NOT_KNOWN, toCounted, toDuration, toPercent } from "../format/values.ts";
import { Term } from "./Term.tsx";

export function Change({ event }: { event: CommissionEvent }) {
  const [from, to] = toSides(event);
  return (
    <span class={isRise(event) ? "change change-rise" : "change"}>
      <span class="change-source">{SOURCE_NAMES[event.source]}</span> {from}{" "}
      <span aria-hidden="true">→</span>
      <span class="visually-hidden"> to </span> <strong>{to}</strong>
      {!event.confirmed && (
        <span class="quiet">
          {" "}
          <Term of="Unconfirmed">unconfirmed</Term>
        </span>
      )}
    </span>
  );
}

interface PatternChangeProps {
  pattern: Pattern;
  /** Of its changes; absent: what is paid stands beside it. */
  newest?: CommissionEvent;
}

export function PatternChange({ pattern, newest }: PatternChangeProps) {
  const [rates, often] = toPatternBrief(pattern);
  return (
    <span class="change-pattern">
      <span class="change-rise">
        <span class="change-source">{SOURCE_NAMES[pattern.source]}</span> <strong>{rates}</strong>
      </span>
      <span class="second">
        {often}
        {newest !== undefined && `; newest change ${toSides(newest).join(" → ")}`}
      </span>
    </span>
  );
}

export function EffectText({ event, epoch }: { event: CommissionEvent; epoch: Epoch | null }) {
  const effect = toEffect(event, epoch, apiNow.value);
  const epochs = toEpochs(event);
  if (effect.kind === "steps") return <span class="effect">see its steps in this list</span>;
  if (effect.kind === "never")
    return (
      <span class="effect">
        never paid<span class="quiet"> · changed again before that</span>
      </span>
    );
  if (epochs === null) return <span class="quiet">{NOT_KNOWN}</span>;
  return (
    <span class={effect.kind === "from" && isRise(event) ? "effect effect-ahead" : "effect"}>
      {toVerb(event)} {effect.kind === "since" ? "since" : "from"} {epochs}
      {effect.kind === "since" && effect.epochsAgo !== null && (
        <span class="quiet">
          {" "}
          · {effect.epochsAgo === 0 ? "this epoch" : `${toCounted(effect.epochsAgo, "epoch")} ago`}
        </span>
      )}
      {effect.kind === "from" && effect.inMilliseconds !== null && (
        <>
          <span class="quiet"> · </span>
          <strong>in {toDuration(effect.inMilliseconds)}</strong>
        </>
      )}
      {!event.effectiveEpochFinal && (
        <span class="quiet">
          {" "}
          · <Term of="Provisional">provisional</Term>
        </span>
      )}
    </span>
  );
}

/** A pattern's mark stays when its rate is back: then the words say so. */
export function toVerb({
  source,
  delta,
  toCommission,
  pattern,
}: Pick<CommissionEvent, "source" | "delta" | "toCommission" | "pattern">): string {
  if (isRise({ delta })) return source === "MEV" ? "costs MEV tips" : "costs";
  const isBack = pattern !== null && toCommission !== null && toCommission <= pattern.from;
  return isBack ? `back at ${toPercent(toCommission)}` : "applies";
}

interface PayTextProps {
  event: CommissionEvent;
  /** Of its validator; null: not known. */
  rates: Pick<Validator, "appliedCommission" | "nextAppliedCommission"> | null;
  epoch: Epoch | null;
}

/** What delegators pay now, and then: a fall that comes later is no good news for the next epoch. */
export function PayText({ event, rates, epoch }: PayTextProps) {
  const charges = rates === null || epoch === null ? [] : toCharges(rates, event, epoch.epoch);
  const isAhead =
    event.source === "COMMISSION" &&
    charges.some(({ fromEpoch }) => fromEpoch !== null && fromEpoch === event.effectiveEpoch);
  const hasNext = event.source === "COMMISSION" && charges.length > 1;
  if (epoch === null || !(isAhead || hasNext)) return <EffectText event={event} epoch={epoch} />;
  return (
    <span class="effect">
      {!isAhead && (
        <>
          <EffectText event={event} epoch={epoch} />
          <br />
        </>
      )}
      <ChargesText charges={charges} epoch={epoch} />
      {isAhead && !event.effectiveEpochFinal && (
        <span class="quiet">
          {" "}
          · <Term of="Provisional">provisional</Term>
        </span>
      )}
    </span>
  );
}

/** "6 % now, 46 % from epoch 1073 · in 55 min, 6 % from epoch 1074 · in 2 h 55 min" */
export function ChargesText({ charges, epoch }: { charges: readonly Charge[]; epoch: Epoch }) {
  return (
    <span class="charges">
      {charges.map(({ percent, fromEpoch }, index) => {
        const before = charges[index - 1];
        const isMore = before !== undefined && percent > before.percent;
        const wait = fromEpoch === null ? null : toStartOf(epoch, fromEpoch, apiNow.value);
        return (
          <span key={fromEpoch ?? "now"} class={isMore ? "charge charge-more" : "charge"}>
            <strong>{toPercent(percent)}</strong>{" "}
            {fromEpoch === null ? "now" : `from epoch ${fromEpoch}`}
            {wait !== null && <span class="quiet"> · in {toDuration(wait)}</span>}
            {index < charges.length - 1 && ", "}
          </span>
        );
      })}
    </span>
  );
}

/** Colour alone does not reach everybody (WCAG 1.4.1). */
const SHAPES: Record<Severity, string> = {
  RUG: "M6 1 11.5 11H.5z",
  CAUTION: "M6 .5 11.5 6 6 11.5.5 6z",
  INFO: "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z",
};

export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <span class={`severity severity-${severity.toLowerCase()}`}>
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
        <path d={SHAPES[severity]} fill="currentColor" />
      </svg>
      {severity}
    </span>
  );
}
