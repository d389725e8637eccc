import { documents, NEWEST } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toAddress, toValidatorAddress } from "../../format/url.ts";
import { toShortKey } from "../../format/values.ts";
import { AnswerLink } from "../../parts/AnswerLink.tsx";
import { Card } from "../../parts/Card.tsx";
import { Change, SeverityBadge } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { FourSteps } from "../../parts/FourSteps.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { findExample, toWindowText } from "./example.ts";
import "../../style/how-we-know.css";

export default function HowWeKnow() {
  const { network } = useUrl();
  const events = useDocument(documents.events(network, NEWEST));
  return (
    <div class="stack how-we-know">
      <header class="page-header">
        <h1>How we know</h1>
        <p class="quiet">
          We accuse nobody on our own word: you can check each step without us. A change of
          inflation commission has four. One of MEV commission has the first two: no transaction
          changes it, the tip-distribution account of each epoch shows it.
        </p>
      </header>
      <Card title="One change, checked">
        <Document
          resource={events}
          lines={12}
          isEmpty={({ data }) => findExample(data) === null}
          empty="No change of the newest epochs has its transaction yet."
        >
          {({ data }) => {
            const event = findExample(data);
            if (event === null) return null;
            const { votePubkey, validatorName, severity, epoch } = event;
            const windowText = toWindowText(event);
            return (
              <div class="how-example">
                <p>
                  <SeverityBadge severity={severity} />{" "}
                  <a href={`${toValidatorAddress(votePubkey, network)}#changes`}>
                    <bdi>{validatorName ?? toShortKey(votePubkey)}</bdi>
                  </a>{" "}
                  in epoch {epoch}: <Change event={event} />
                </p>
                {windowText !== null && <p class="quiet">{windowText}</p>}
                <FourSteps event={event} />
              </div>
            );
          }}
        </Document>
      </Card>
      <Card title="What the steps mean">
        <dl class="how-steps">
          <div>
            <dt>We observed it</dt>
            <dd>
              We ask several endpoints, which different people run, for the commission of every
              validator, at least once a minute if all goes well. The change lies between the last
              answer with the old rate and the first one with the new rate. “Time between” says how
              long that was: longer where answers were missing, or where nobody asked.
            </dd>
          </div>
          <div>
            <dt>What confirms it</dt>
            <dd>
              One endpoint can lie or be out of date. A change counts when a majority of them show
              it, or its transaction proves it. What shows an MEV commission is the validator's
              tip-distribution account of that epoch. Until a change counts every page shows the old
              rate, and <a href={toAddress("/status", { network })}>status</a> lists who answers
              what.
            </dd>
          </div>
          <div>
            <dt>A transaction made it</dt>
            <dd>
              An inflation commission stands in the vote account and changes only by a transaction,
              which stays on the chain. Any explorer shows it, whatever we say. An MEV commission is
              fixed when the tip-distribution account of an epoch is made, so no transaction changes
              it.
            </dd>
          </div>
          <div>
            <dt>Its authority signed it</dt>
            <dd>
              Only the holder of the account's withdraw authority can sign such a transaction. We
              publish its bytes, and your browser verifies the signature by itself: change one byte,
              and it no longer fits. A signature does not cover the slot or whether the transaction
              succeeded: for these a majority of the endpoints stands.
            </dd>
          </div>
        </dl>
      </Card>
      <Card title="What we cannot know">
        <ul class="how-limits">
          <li>Why an operator changed a rate, and whether delegators agreed to it.</li>
          <li>
            What happened before our record began, unless a public history has it: such changes are
            marked <a href={toGlossary("unconfirmed")}>unconfirmed</a>.
          </li>
          <li>
            Who held the key, where a program signed: then no signature proves the change, and it
            says so.
          </li>
        </ul>
        <p>
          Every observation is an entry of a numbered journal that carries the hash of the one
          before. <a href={toAddress("/status", { network })}>Status</a> shows its head, so nobody
          can rewrite it unseen.{" "}
          <AnswerLink votePubkey={null} event={null}>
            Accused wrongly?
          </AnswerLink>
        </p>
      </Card>
    </div>
  );

  function toGlossary(anchor: string): string {
    return `${toAddress("/glossary", { network })}#${anchor}`;
  }
}
