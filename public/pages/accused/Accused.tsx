import { type AccusedEvent, toDisputeAddress, toEventText } from "../../format/dispute.ts";
import {
  type Query,
  readVotes,
  readWhole,
  toAddress,
  toValidatorAddress,
} from "../../format/url.ts";
import { Card } from "../../parts/Card.tsx";
import { FindValidator } from "../../parts/FindValidator.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { CopyButton } from "../../parts/values.tsx";
import "../../style/accused.css";

const EPOCH_MAX = 1_000_000;

/** For whoever is accused: what to send, to whom, and what happens then. */
export default function Accused() {
  const { query, network } = useUrl();
  const [votePubkey = null] = readVotes(query["votePubkey"], 1);
  const event = readEvent(query);
  return (
    <div class="stack accused">
      <header class="page-header">
        <h1>Accused wrongly?</h1>
        <p>
          We, who run this site, correct what is wrong, and in public. You need no account and no
          lawyer: send us three things.
        </p>
      </header>
      <Card title="What to send">
        <dl class="accused-facts">
          <div>
            <dt>Vote account</dt>
            <dd>
              {votePubkey === null ? (
                "of your validator: find it below, its page leads here with it"
              ) : (
                <a class="key breakable" href={toValidatorAddress(votePubkey, network)}>
                  {votePubkey}
                </a>
              )}
            </dd>
          </div>
          <div>
            <dt>{event === null ? "What is wrong" : "Event"}</dt>
            <dd>
              {event === null ? (
                "which change, or what else we say of it. “Dispute this” below a change on the validator's page brings its id here"
              ) : (
                <code class="breakable">{toEventText(event)}</code>
              )}
            </dd>
          </div>
          <div>
            <dt>Transaction</dt>
            <dd>
              the signature of the transaction that set your commission, or what else shows that we
              are wrong: an explorer's page, a log of your node
            </dd>
          </div>
        </dl>
        <p class="accused-contact">
          <Contact votePubkey={votePubkey} event={event} />
        </p>
      </Card>
      <Card title="What we check">
        <ul class="accused-list">
          <li>The raw answers of every endpoint that we asked, which our journal keeps.</li>
          <li>The transaction, its signature and who held the withdraw authority then.</li>
          <li>Whether the change was charged, and in which epochs.</li>
        </ul>
        <p>
          <a href={toAddress("/how-we-know", { network })}>How we know</a> has these steps with a
          real event, so that you can check them before us.
        </p>
      </Card>
      <Card title="What happens then">
        <ul class="accused-list">
          <li>
            We give a ruling with its reason, which our journal keeps. We show the newest 100,
            beside the changes that they are about and under{" "}
            <a href={toAddress("/status", { network })}>status</a>.
          </li>
          <li>
            If we were wrong, the event disappears from every page and feed, the verdict is made
            anew, and every webhook that sent an alert of it sends the withdrawal.
          </li>
          <li>If we were right, the event stays, and the ruling says why.</li>
          <li>Nobody can take anything back without a trace, not even we.</li>
        </ul>
      </Card>
      {votePubkey === null && (
        <Card title="Which validator is it?">
          <FindValidator />
        </Card>
      )}
    </div>
  );
}

interface ContactProps {
  votePubkey: string | null;
  event: AccusedEvent | null;
}

/** A mail opens no page, so it does not say so. */
function Contact({ votePubkey, event }: ContactProps) {
  const { network } = useUrl();
  const address = toDisputeAddress({ network, votePubkey, event });
  if (address === null) return null;
  const mail = /^mailto:([^?]*)/.exec(address)?.[1];
  if (mail === undefined)
    return (
      <a class="button" href={address} target="_blank" rel="noreferrer">
        Answer in our form
        <span class="visually-hidden"> (new page)</span>
      </a>
    );
  const to = decodeURIComponent(mail);
  return (
    <>
      <a class="button" href={address}>
        Write to us
      </a>{" "}
      <span class="breakable">{to}</span> <CopyButton text={to} what="our mail address" />
    </>
  );
}

/** An id is hexadecimal. */
function readEvent({ event: id, epoch }: Query): AccusedEvent | null {
  if (id === undefined || !/^[0-9a-f]{8,64}$/.test(id)) return null;
  return { id, epoch: readWhole(epoch, { min: 0, max: EPOCH_MAX, otherwise: null }) };
}
