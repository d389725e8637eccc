import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { Fact } from "../../parts/Card.tsx";
import { AnswerLink } from "../../parts/AnswerLink.tsx";
import { documents } from "../../api/documents.ts";
import { isSwept, toEpochs, toProofText, toSides, toStepsText } from "../../format/events.ts";
import { toCount, toCounted, toDuration } from "../../format/values.ts";
import { ChainName, CopyButton } from "../../parts/values.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { CostFacts } from "./Cost.tsx";
import { toTimeText } from "../../parts/zone.ts";

export function Evidence({ event }: { event: CommissionEvent }) {
  const { network } = useUrl();
  return (
    <div class="evidence">
      <dl class="facts">
        <Proof event={event} />
        <Fact name="First epoch paid">{toFirstPaying(event)}</Fact>
        {isSwept(event) ? (
          <Fact name="Observations">{toUnseenText(event)}</Fact>
        ) : (
          <Observations event={event} />
        )}
        <CostFacts event={event} />
        <Fact name="Event id">
          <span class="key breakable">{event.id}</span>{" "}
          <CopyButton text={event.id} what="the event id" />
        </Fact>
      </dl>
      <p>
        <strong>Check it.</strong> {toAdvice(event, network)}
      </p>
      <p>
        Documents: <a href={documents.validatorEvents(network, event.votePubkey).url}>changes</a>,{" "}
        <a href={documents.commissionHistory(network, event.votePubkey).url}>commission by epoch</a>
        {event.severity === "RUG" && (
          <>
            ,{" "}
            <a href={documents.epochEvents(network, event.epoch).url}>
              rugs of epoch {event.epoch}
            </a>
          </>
        )}
        .
      </p>
      <p>
        <AnswerLink votePubkey={event.votePubkey} event={event.id}>
          Dispute this
        </AnswerLink>
        : an operator checks the readings behind it and answers in public.
      </p>
    </div>
  );
}

function Observations({ event }: { event: CommissionEvent }) {
  const [from, to] = toSides(event);
  return (
    <>
      <Fact name={`Last seen at ${from}`}>
        {event.previousSlot === null ? null : (
          <Seen time={event.previousSeenAt} slot={event.previousSlot} />
        )}
      </Fact>
      <Fact name={`First seen at ${to}`}>
        {event.createdAt === null ? (
          `not observed. Public history has this rate from epoch ${event.epoch} on (first slot ${toCount(event.slot)})`
        ) : (
          <Seen time={event.createdAt} slot={event.slot} />
        )}
      </Fact>
      <Fact name="Time between">{toBetweenText(event)}</Fact>
      <Fact name="Confirmed by">{toConfirmed(event)}</Fact>
    </>
  );
}

function toUnseenText({ createdAt }: CommissionEvent): string {
  const read = createdAt === null ? "over two epochs later" : `at ${toTimeText(createdAt)}`;
  return `none. We found its transaction ${read}`;
}

function Seen({ time, slot }: { time: string | null; slot: number }) {
  return (
    <>
      {time !== null && <time dateTime={time}>{toTimeText(time)}, </time>}slot {toCount(slot)}
    </>
  );
}

const CONFIRMED_TEXTS = {
  transaction: "its transaction, which proves it",
  witnesses: "a majority of the endpoints",
  account: "the account itself, at one endpoint",
  observations: "further observations",
} as const satisfies Record<NonNullable<CommissionEvent["confirmedBy"]>, string>;

function toConfirmed({ confirmed, confirmedBy }: CommissionEvent): string | null {
  if (!confirmed) return "nothing: only public history has this change";
  return confirmedBy === null ? null : CONFIRMED_TEXTS[confirmedBy];
}

function toFirstPaying(event: CommissionEvent): string | null {
  if (event.replacedBy !== null)
    return `see its steps, which are events of their own (the last: ${event.replacedBy})`;
  if (event.supersededBy !== null)
    return `none: event ${event.supersededBy} changed the rate again before the epoch ended`;
  const epochs = toEpochs(event);
  return epochs === null || event.effectiveEpochFinal
    ? epochs
    : `${epochs} (provisional: the next validator sets can still change it)`;
}

function toBetweenText(event: CommissionEvent): string | null {
  const between = toBetween(event);
  if (between === null) return null;
  const slots = toCounted(between.slots, "slot");
  return between.milliseconds === null ? slots : `${slots}, ${toDuration(between.milliseconds)}`;
}

function toAdvice(
  { source, epoch, previousSlot, slot, transaction }: CommissionEvent,
  network: Network,
): string {
  if (source === "MEV")
    return `Read the validator's tip distribution account of epoch ${epoch} on any RPC endpoint of ${network}, while it exists.`;
  if (transaction !== null)
    return `Call getTransaction with this signature on an RPC endpoint of ${network} that still has it. One instruction of the vote program sets the commission, and you can verify the signature over the message.`;
  const where =
    previousSlot === null
      ? `before slot ${toCount(slot)}`
      : `after slot ${toCount(previousSlot)} and up to slot ${toCount(slot)}`;
  return `Search the vote account's transactions ${where} for an instruction of the vote program that sets the commission. getVoteAccounts on any RPC endpoint of ${network} returns the rate of today.`;
}

function Proof({ event }: { event: CommissionEvent }) {
  const { source, transaction, fromCommission } = event;
  if (source === "MEV") return null;
  if (transaction === null) return <Fact name="Transaction">not found yet</Fact>;
  const { signature, slot, blockTime, signer, verified, steps } = transaction;
  return (
    <>
      <Fact name="Transaction">
        <ChainName kind="tx" name={signature} what="the signature" />
        <br />
        {blockTime !== null && <time dateTime={blockTime}>{toTimeText(blockTime)}, </time>}slot{" "}
        {toCount(slot)}
      </Fact>
      <Fact name="Signed by">
        <ChainName kind="address" name={signer} what="the signer" />
      </Fact>
      <Fact name="Proof">{toProofText(verified)}</Fact>
      {steps.length > 1 && (
        <Fact name={`${steps.length} steps`}>{toStepsText(fromCommission, steps)}</Fact>
      )}
    </>
  );
}

interface Between {
  slots: number;
  milliseconds: number | null;
}

/** null: nobody observed the old value. */
export function toBetween({
  slot,
  previousSlot,
  createdAt,
  previousSeenAt,
}: Pick<
  CommissionEvent,
  "slot" | "previousSlot" | "createdAt" | "previousSeenAt"
>): Between | null {
  if (previousSlot === null || previousSlot >= slot) return null;
  const hasTimes = createdAt !== null && previousSeenAt !== null;
  return {
    slots: slot - previousSlot,
    milliseconds: hasTimes ? Date.parse(createdAt) - Date.parse(previousSeenAt) : null,
  };
}
