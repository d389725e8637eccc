import { useId, useState } from "preact/hooks";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import {
  findPriced,
  readSol,
  SOL_DEFAULT,
  SOL_MAX,
  toBasisText,
  toCostOf,
  toCostText,
  toYearly,
} from "../../format/cost.ts";
import { toEpochs, toSides } from "../../format/events.ts";
import { NOT_KNOWN, toCount } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { useUrl } from "../../parts/use-url.ts";
import "../../style/cost.css";

/** Nothing if no cost is known. */
export function Cost({ events }: { events: readonly CommissionEvent[] }) {
  const sol = readSol(useUrl().query);
  const priced = findPriced(events);
  if (priced === null) return null;
  const { cost } = priced;
  const [from, to] = toSides(priced);
  const ofDelegator = toCostOf(cost, sol);
  return (
    <Card title="What it costs" anchor="cost" class="cost" tools={<SolInput sol={sol} />}>
      <p>
        The newest change, {from} → {to}, counts from {toEpochs(priced) ?? `an epoch that is ${NOT_KNOWN}`} on. Per
        epoch, delegators then get:
      </p>
      <dl class="figures-line">
        <Fact name={`For ${toCount(sol)} SOL`}>{toCostText(ofDelegator)}</Fact>
        <Fact name={`For ${toCount(sol)} SOL in a year`}>{toCostText(toYearly(ofDelegator, cost))}</Fact>
        <Fact name="All delegators together">{toCostText(BigInt(cost.lamportsPerEpoch))}</Fact>
      </dl>
      <p class="quiet">{toBasisText(cost)}</p>
    </Card>
  );
}

function SolInput({ sol }: { sol: number }) {
  const id = useId();
  const { change } = useUrl();
  const [text, setText] = useState(String(sol));
  const type = (typed: string) => {
    setText(typed);
    const read = readSol({ sol: typed });
    if (String(read) === typed) change({ sol: read === SOL_DEFAULT ? null : read }, { replace: true });
  };
  return (
    <span class="cost-stake">
      <label for={id}>Your stake</label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autocomplete="off"
        maxLength={String(SOL_MAX).length}
        value={text}
        aria-invalid={String(sol) !== text}
        onInput={({ currentTarget }) => type(currentTarget.value.trim())}
      />
      SOL
    </span>
  );
}

export function CostFacts({ event: { cost, source } }: { event: CommissionEvent }) {
  const sol = readSol(useUrl().query);
  if (cost === null) {
    return (
      <Fact name="Cost">{source === "MEV" ? `${NOT_KNOWN}: nobody knows the tips of an epoch beforehand` : null}</Fact>
    );
  }
  return (
    <>
      <Fact name={`Cost for ${toCount(sol)} SOL`}>{toCostText(toCostOf(cost, sol))} per epoch</Fact>
      <Fact name="Cost for all delegators">
        {toCostText(BigInt(cost.lamportsPerEpoch))} per epoch. {toBasisText(cost)}
      </Fact>
    </>
  );
}
