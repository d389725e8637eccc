import type { ComponentChildren } from "preact";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { toBetweenText, toConfirmedText, toExplainCommand, toRpcCommand } from "../format/check.ts";
import { isSwept, toProofText, toSides, toStepsText } from "../format/events.ts";
import { toExplorerAddresses } from "../format/url.ts";
import { toCount } from "../format/values.ts";
import { Fact } from "./Card.tsx";
import { SignatureCheck } from "./SignatureCheck.tsx";
import { useUrl } from "./use-url.ts";
import { ChainName, CopyButton, Moment } from "./values.tsx";
import "../style/four-steps.css";

/** How a change is known, so that a stranger can check each step. */
export function FourSteps({ event }: { event: CommissionEvent }) {
  const { network } = useUrl();
  const { source, transaction } = event;
  return (
    <>
      <ol class="four-steps">
        <Step title="We observed it">
          {isSwept(event) ? (
            <Fact name="Observations">
              none. We found its transaction{" "}
              {event.createdAt === null ? (
                "over two epochs later"
              ) : (
                <>
                  at <Moment time={event.createdAt} />
                </>
              )}
            </Fact>
          ) : (
            <Observations event={event} />
          )}
        </Step>
        {!isSwept(event) && (
          <Step title="What confirms it">
            <Fact name="Confirmed by">{toConfirmedText(event)}</Fact>
          </Step>
        )}
        {source !== "MEV" && (
          <Step title="A transaction made it">
            <TransactionFacts event={event} network={network} />
          </Step>
        )}
        {transaction !== null && (
          <Step
            title="Its authority signed it"
            below={
              transaction.verifiedBy.startsWith("signature") && (
                <SignatureCheck
                  key={transaction.signature}
                  event={event}
                  signature={transaction.signature}
                />
              )
            }
          >
            <Fact name="Signed by">
              <ChainName kind="address" name={transaction.signer} what="the signer" />
            </Fact>
            <Fact name="Proof">{toProofText(transaction.verified)}</Fact>
          </Step>
        )}
      </ol>
      <Commands event={event} network={network} />
    </>
  );
}

interface StepProps {
  title: string;
  below?: ComponentChildren;
  children: ComponentChildren;
}

function Step({ title, below, children }: StepProps) {
  return (
    <li>
      <h3>{title}</h3>
      <dl class="step-facts">{children}</dl>
      {below}
    </li>
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
    </>
  );
}

function Seen({ time, slot }: { time: string | null; slot: number }) {
  return (
    <>
      {time !== null && (
        <>
          <Moment time={time} />,{" "}
        </>
      )}
      slot {toCount(slot)}
    </>
  );
}

function TransactionFacts({ event, network }: { event: CommissionEvent; network: Network }) {
  const { transaction, fromCommission } = event;
  if (transaction === null) return <Fact name="Transaction">not found yet</Fact>;
  const { signature, slot, blockTime, steps } = transaction;
  const explorers = toExplorerAddresses(signature, network);
  return (
    <>
      <Fact name="Transaction">
        <ChainName kind="tx" name={signature} what="the signature" />
        <br />
        {blockTime !== null && (
          <>
            <Moment time={blockTime} />,{" "}
          </>
        )}
        slot {toCount(slot)}
      </Fact>
      {explorers.length > 0 && (
        <Fact name="See it on">
          <span class="explorers">
            {explorers.map(({ name, address }) => (
              <a key={name} href={address} target="_blank" rel="noreferrer">
                {name}
                <span class="visually-hidden"> (new page)</span>
              </a>
            ))}
          </span>
        </Fact>
      )}
      {steps.length > 1 && (
        <Fact name={`${steps.length} steps`}>{toStepsText(fromCommission, steps)}</Fact>
      )}
    </>
  );
}

/** For who trusts no browser either. */
function Commands({ event, network }: { event: CommissionEvent; network: Network }) {
  const rpc = toRpcCommand(event, network);
  return (
    <div class="check-commands">
      <h3>Or ask others, in a terminal</h3>
      {rpc !== null && <Command what="Ask the cluster for the transaction" text={rpc} />}
      <Command
        what="With a copy of our journal: every answer that we based it on"
        text={toExplainCommand(event, network)}
      />
    </div>
  );
}

function Command({ what, text }: { what: string; text: string }) {
  return (
    <div>
      <p class="quiet">
        {what} · <CopyButton text={text} what={`the command: ${what}`} />
      </p>
      <pre class="body" tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
