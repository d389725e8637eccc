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
import { toCount } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { useUrl } from "../../parts/use-url.ts";
import "../../style/cost.css";

/** What the newest change takes from a delegator of so many SOL, which the reader chooses. Nothing where none is known. */
export function Cost({ events }: { events: readonly CommissionEvent[] }) {
  const sol = readSol(useUrl().query);
  const priced = findPriced(events);
  if (priced === null) return null;
  const { cost } = priced;
  const [from, to] = toSides(priced);
  const ofDelegator = toCostOf(cost, sol);
  return (
    <Card title="What it costs" class="cost" tools={<SolInput sol={sol} />}>
      <p>
        The newest change, {from} → {to}, is paid from {toEpochs(priced) ?? "an epoch that is not known"} on. An epoch,
        its delegators then get:
      </p>
      <dl class="figures-line">
        <Fact name={`A delegator of ${toCount(sol)} SOL`}>{toCostText(ofDelegator)}</Fact>
        <Fact name="The same in a year of such epochs">{toCostText(toYearly(ofDelegator, cost))}</Fact>
        <Fact name="All of them together">{toCostText(BigInt(cost.lamportsPerEpoch))}</Fact>
      </dl>
      <p class="quiet">{toBasisText(cost)}</p>
    </Card>
  );
}

/** Kept in the address as soon as it is a number of SOL. */
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
      <label for={id}>For</label>
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

/** The cost of one change among its evidence. */
export function CostFacts({ event: { cost, source } }: { event: CommissionEvent }) {
  const sol = readSol(useUrl().query);
  if (cost === null) {
    return (
      <Fact name="What it costs">
        {source === "MEV" ? "not known: what tips an epoch brings is not known beforehand" : null}
      </Fact>
    );
  }
  return (
    <>
      <Fact name={`What it costs ${toCount(sol)} SOL`}>{toCostText(toCostOf(cost, sol))} an epoch</Fact>
      <Fact name="What it costs all delegators">
        {toCostText(BigInt(cost.lamportsPerEpoch))} an epoch. {toBasisText(cost)}
      </Fact>
    </>
  );
}
