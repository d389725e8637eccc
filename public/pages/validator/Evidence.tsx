import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { documents } from "../../api/documents.ts";
import { toEpochs } from "../../format/events.ts";
import { toAddress } from "../../format/url.ts";
import { toCount } from "../../format/values.ts";
import { AnswerLink } from "../../parts/AnswerLink.tsx";
import { Fact } from "../../parts/Card.tsx";
import { FourSteps } from "../../parts/FourSteps.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { CopyButton } from "../../parts/values.tsx";
import { CostFacts } from "./Cost.tsx";

export function Evidence({ event }: { event: CommissionEvent }) {
  const { network } = useUrl();
  return (
    <div class="evidence">
      <FourSteps event={event} />
      <dl class="facts">
        <Fact name="First epoch paid">{toFirstPaying(event)}</Fact>
        <CostFacts event={event} />
        <Fact name="Event id">
          <span class="key breakable">{event.id}</span>{" "}
          <CopyButton text={event.id} what="the event id" />
        </Fact>
      </dl>
      {event.transaction === null && (
        <p>
          <strong>Check it.</strong> {toAdvice(event, network)}
        </p>
      )}
      <p>
        Documents: <a href={documents.validatorEvents(network, event.votePubkey).url}>changes</a>,{" "}
        <a href={documents.commissionHistory(network, event.votePubkey).url}>commission by epoch</a>
        ,{" "}
        <a href={documents.validatorTransactions(network, event.votePubkey).url}>
          transactions as bytes
        </a>
        {event.severity === "RUG" && (
          <>
            ,{" "}
            <a href={documents.epochEvents(network, event.epoch).url}>
              rugs of epoch {event.epoch}
            </a>
          </>
        )}
        . <a href={toAddress("/how-we-know", { network })}>How we know</a>
      </p>
      <p>
        <AnswerLink votePubkey={event.votePubkey} event={event}>
          Dispute this
        </AnswerLink>
        : an operator checks the readings behind it and answers in public.
      </p>
    </div>
  );
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

/** Where no transaction is found. */
function toAdvice(
  { source, epoch, previousSlot, slot }: CommissionEvent,
  network: Network,
): string {
  if (source === "MEV")
    return `Read the validator's tip distribution account of epoch ${epoch} on any RPC endpoint of ${network}, while it exists.`;
  const where =
    previousSlot === null
      ? `before slot ${toCount(slot)}`
      : `after slot ${toCount(previousSlot)} and up to slot ${toCount(slot)}`;
  return `Search the vote account's transactions ${where} for an instruction of the vote program that sets the commission. getVoteAccounts on any RPC endpoint of ${network} returns the rate of today.`;
}
