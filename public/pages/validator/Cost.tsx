import { useEffect, useId, useState } from "preact/hooks";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { useEpoch } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import {
  findMevPriced,
  findPriced,
  type Loss,
  readSol,
  SOL_MAX,
  toBasisText,
  toCostOf,
  toCostText,
  toLoss,
  toMevBasisText,
  toMevCostText,
  toNextText,
  toUnpricedText,
  toYearly,
  toYield,
  USUAL_SOL,
} from "../../format/cost.ts";
import { toEpochs, toSides } from "../../format/events.ts";
import { readWhole } from "../../format/url.ts";
import { NOT_KNOWN, toCount, toCounted, toPercent } from "../../format/values.ts";
import { Card, Choice, Fact } from "../../parts/Card.tsx";
import { useStake } from "../../parts/stake.ts";
import { useUrl } from "../../parts/use-url.ts";
import { toUpcoming } from "./CommissionNow.tsx";
import { LossPicture } from "./LossPicture.tsx";
import "../../style/cost.css";
import "../../style/inline-select.css";

interface CostProps {
  network: Network;
  votePubkey: string;
  events: readonly CommissionEvent[];
}

/** Nothing if no cost is known. */
export function Cost({ network, votePubkey, events }: CostProps) {
  const { sol } = useStake();
  const { query } = useUrl();
  const history = useDocument(documents.commissionHistory(network, votePubkey)).held?.document.data;
  const points = history ?? [];
  const [first, last] = [points[0]?.epoch ?? 0, points.at(-1)?.epoch ?? 0];
  const since = readWhole(query["since"], { min: first, max: last, otherwise: first });
  const loss = toLoss(events, points, sol, since);
  const priced = findPriced(events);
  const mevPriced = findMevPriced(events);
  if (priced === null && mevPriced === null) return null;
  return (
    <Card title="What it costs" anchor="cost" tools={<SolInput sol={sol} />}>
      <Next events={events} points={points} sol={sol} />
      {toLoss(events, points, sol) !== null && (
        <SoFar loss={loss} sol={sol} epochs={{ first, last, since }} />
      )}
      {priced !== null && <OfInflation event={priced} sol={sol} />}
      {mevPriced !== null && <OfMev event={mevPriced} sol={sol} />}
    </Card>
  );
}

/** The next change of the paid rate: what it is for the reader's stake. */
function Next({ events, points, sol }: Pick<CostProps, "events"> & NextProps) {
  const { network } = useUrl();
  const running = useEpoch(network).held?.document.data.epoch ?? null;
  const paid = points.find(({ epoch }) => epoch === running)?.appliedCommission ?? null;
  const [next] = running === null ? [] : toUpcoming(events, running);
  const [to, perLamport] = [next?.commission ?? null, toYield(events)];
  if (next === undefined || paid === null || to === null || to === paid) return null;
  return (
    <p class="difference">
      From {toEpochs(next)}: <strong>{toPercent(to)}</strong> instead of {toPercent(paid)}.
      {perLamport !== null && ` ${toNextText({ from: paid, to }, sol, perLamport)}`}
    </p>
  );
}

interface NextProps {
  points: readonly CommissionPoint[];
  sol: number;
}

interface SoFarProps {
  /** null: nothing since the epoch that the reader chose. */
  loss: Loss | null;
  sol: number;
  epochs: { first: number; last: number; since: number };
}

function SoFar({ loss, sol, epochs }: SoFarProps) {
  return (
    <div class="cost-part">
      <p>
        Because its inflation commission rose, delegators got since epoch{" "}
        <SinceChoice epochs={epochs} />
        {loss !== null && `, in ${toWhen(loss)}`}
        {loss !== null &&
          loss.unpriced > 0 &&
          `, without ${toCounted(loss.unpriced, "rise")} whose cost is not known`}
        :
      </p>
      <dl class="figures-line">
        <Fact name={`With ${toCount(sol)} SOL, all epochs together`}>
          {toCostText(loss?.lamports ?? 0n)}
        </Fact>
      </dl>
      {loss !== null && <LossPicture until={loss.until} />}
    </div>
  );
}

function toWhen({ epochs, firstEpoch, lastEpoch }: Loss): string {
  return firstEpoch === lastEpoch
    ? `epoch ${firstEpoch}`
    : `${toCounted(epochs, "epoch")} from ${firstEpoch} to ${lastEpoch}`;
}

function SinceChoice({ epochs: { first, last, since } }: Pick<SoFarProps, "epochs">) {
  const { change } = useUrl();
  return (
    <select
      class="inline-select"
      aria-label="First epoch that counts"
      value={String(since)}
      onChange={({ currentTarget: { value } }) =>
        change({ since: Number(value) === first ? null : value }, { replace: true })
      }
    >
      {Array.from({ length: last - first + 1 }, (_, at) => (
        <option key={at}>{first + at}</option>
      ))}
    </select>
  );
}

function OfInflation({
  event,
  sol,
}: {
  event: NonNullable<ReturnType<typeof findPriced>>;
  sol: number;
}) {
  const { cost } = event;
  const [from, to] = toSides(event);
  const ofDelegator = toCostOf(cost, sol);
  return (
    <div class="cost-part">
      <p>
        The newest change of inflation commission, {from} → {to}, counts from{" "}
        {toEpochs(event) ?? `an epoch that is ${NOT_KNOWN}`} on. Delegators then get:
      </p>
      <dl class="figures-line">
        <Fact name={`For ${toCount(sol)} SOL an epoch`}>{toCostText(ofDelegator)}</Fact>
        <Fact name={`For ${toCount(sol)} SOL in a year`}>
          {toCostText(toYearly(ofDelegator, cost))}
        </Fact>
        <Fact name="All delegators together, an epoch">
          {toCostText(BigInt(cost.lamportsPerEpoch))}
        </Fact>
      </dl>
      <Basis text={toBasisText(cost)} />
    </div>
  );
}

function OfMev({
  event,
  sol,
}: {
  event: NonNullable<ReturnType<typeof findMevPriced>>;
  sol: number;
}) {
  const { mevCost } = event;
  const [from, to] = toSides(event);
  return (
    <div class="cost-part">
      <p>
        The newest change of MEV commission, {from} → {to}, counts from epoch {mevCost.basis.epoch}{" "}
        on. Of that epoch's tips, delegators get:
      </p>
      <dl class="figures-line">
        <Fact name={`Tips for ${toCount(sol)} SOL`}>
          {toMevCostText(toCostOf(mevCost, sol), mevCost)}
        </Fact>
        <Fact name="Tips for all delegators together">
          {toMevCostText(BigInt(mevCost.lamportsPerEpoch), mevCost)}
        </Fact>
      </dl>
      <Basis text={toMevBasisText(mevCost)} />
    </div>
  );
}

function Basis({ text }: { text: string }) {
  return (
    <details class="figures">
      <summary>How this is calculated</summary>
      <p class="quiet">{text}</p>
    </details>
  );
}

function SolInput({ sol }: { sol: number }) {
  const id = useId();
  const { setStake } = useStake();
  const [text, setText] = useState(String(sol));
  // Another part of the page can choose it too.
  useEffect(() => setText(String(sol)), [sol]);
  const type = (typed: string) => {
    setText(typed);
    const read = readSol({ sol: typed });
    if (String(read) === typed) setStake(read);
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
      <Choice
        label="Usual stakes"
        options={USUAL_SOL.map((amount) => ({ value: String(amount), name: toCount(amount) }))}
        chosen={String(sol)}
        onChoose={(amount) => setStake(Number(amount))}
      />
    </span>
  );
}

export function CostFacts({ event }: { event: CommissionEvent }) {
  const { sol } = useStake();
  const { cost } = event;
  const mevCost = event.mevCost ?? null;
  if (mevCost !== null) {
    return (
      <>
        <Fact name={`Cost for ${toCount(sol)} SOL`}>
          {toMevCostText(toCostOf(mevCost, sol), mevCost)} in epoch {mevCost.basis.epoch}
        </Fact>
        <Fact name="Cost for all delegators">
          {toMevCostText(BigInt(mevCost.lamportsPerEpoch), mevCost)} in epoch {mevCost.basis.epoch}.{" "}
          {toMevBasisText(mevCost)}
        </Fact>
      </>
    );
  }
  if (cost === null) {
    const why = toUnpricedText(event);
    return <Fact name="Cost">{why === null ? null : `${NOT_KNOWN}: ${why}`}</Fact>;
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
