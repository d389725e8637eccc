import type { ComponentChildren } from "preact";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import type { Profile } from "../../../generator/contract/validator.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { findNewest } from "../../format/events.ts";
import { toPendingText } from "../../format/pending.ts";
import { toAddress } from "../../format/url.ts";
import { keepPercents, toCounted, toShortKey } from "../../format/values.ts";
import { AnswerLink } from "../../parts/AnswerLink.tsx";
import { Star } from "../../parts/Star.tsx";
import { VERDICT_WORDS, VerdictWord } from "../../parts/VerdictWord.tsx";
import { ValidatorIcon } from "../../parts/ValidatorName.tsx";
import { Ago } from "../../parts/values.tsx";

interface HeadProps {
  profile: Profile;
  network: Network;
  /** Without those replaced by steps. */
  events: readonly CommissionEvent[];
  /** Below the verdict. */
  children: ComponentChildren;
}

/** Who it is, then what is known against it. */
export function Head({ profile, network, events, children }: HeadProps) {
  const { name, votePubkey, iconUrl, listed, rank, delinquent, inValidatorSet } = profile;
  return (
    <header class="validator-head">
      <div class="validator-title">
        <ValidatorIcon iconUrl={iconUrl} votePubkey={votePubkey} />
        {/* A stranger's text: bdi, or it could reverse the direction of the line. */}
        <h1>
          {name === null ? <span class="key">{toShortKey(votePubkey)}</span> : <bdi>{name}</bdi>}
        </h1>
        <Star votePubkey={votePubkey} name={name} />
        <p class="quiet">
          {listed ? `No. ${rank} by stake on ${network} now` : `left ${network}`}
          {listed && !delinquent && inValidatorSet && " · voting"}
          {name === null && " · has no name"}
        </p>
      </div>
      <Standing profile={profile} />
      <Disputes votePubkey={votePubkey} network={network} />
      <Verdict profile={profile} events={events} />
      {children}
    </header>
  );
}

/** Beside the one that costs soonest; the others wait behind a word. */
const OTHERS_SHOWN = 2;

function Verdict({ profile, events }: Pick<HeadProps, "profile" | "events">) {
  const { level, reasons } = profile.verdict;
  const [first, ...others] = reasons;
  return (
    <section
      class={`validator-verdict verdict-${level}`}
      aria-label={`Verdict: ${VERDICT_WORDS[level].word}`}
    >
      <VerdictWord level={level} />
      <div class="verdict-reasons">
        <p class="verdict-first">{keepPercents(first?.text ?? "")}</p>
        <Reasons reasons={others.slice(0, OTHERS_SHOWN)} />
        {others.length > OTHERS_SHOWN && (
          <details class="figures">
            <summary>{toCounted(others.length - OTHERS_SHOWN, "more reason")}</summary>
            <Reasons reasons={others.slice(OTHERS_SHOWN)} />
          </details>
        )}
      </div>
      <p class="verdict-answer quiet">
        Run this validator?{" "}
        <AnswerLink
          votePubkey={profile.votePubkey}
          event={findNewest(events, "RUG") ?? findNewest(events, "CAUTION")}
        >
          Answer here
        </AnswerLink>
      </p>
    </section>
  );
}

function Reasons({ reasons }: { reasons: Profile["verdict"]["reasons"] }) {
  if (reasons.length === 0) return null;
  return (
    <ul class="verdict-others">
      {reasons.map(({ code, text }) => (
        <li key={code}>{keepPercents(text)}</li>
      ))}
    </ul>
  );
}

/** While its profile is read. */
export function HeadOfKey({ votePubkey }: { votePubkey: string }) {
  return (
    <header class="validator-head">
      <div class="validator-title">
        <ValidatorIcon iconUrl={null} votePubkey={votePubkey} />
        <h1>
          <span class="key">{toShortKey(votePubkey)}</span>
        </h1>
      </div>
    </header>
  );
}

/** What endpoints say of it that is not believed, or not yet: no document but the status has it. */
function Disputes({ votePubkey, network }: { votePubkey: string; network: Network }) {
  const status = useDocument(documents.status(network)).held?.document.data;
  const own = status?.pending.filter((change) => change.votePubkey === votePubkey) ?? [];
  return own.map((change) => {
    const { word, text } = toPendingText(change);
    return (
      <p key={change.source} class="standing">
        <strong>{word}</strong> {text} First seen <Ago time={change.firstSeenAt} />.{" "}
        <a href={toAddress("/status", { network })}>All pending changes</a>
      </p>
    );
  });
}

function Standing({
  profile: { listed, lastSeenAt, delinquent, delinquentSince, inValidatorSet },
}: {
  profile: Profile;
}) {
  if (!listed)
    return (
      <p class="standing">
        <strong>Gone.</strong> Its vote account left the network
        {lastSeenAt !== null && (
          <>
            ; we last saw it <Ago time={lastSeenAt} />
          </>
        )}
        . This page shows its last known state.
      </p>
    );
  if (delinquent)
    return (
      <p class="standing">
        <strong>Delinquent.</strong> It{" "}
        {delinquentSince === null ? (
          "does not vote"
        ) : (
          <>
            stopped voting <Ago time={delinquentSince} />
          </>
        )}
        . While it does not vote, stake with it earns nothing new.
      </p>
    );
  if (!inValidatorSet)
    return (
      <p class="standing">
        <strong>Not in the validator set</strong> of this epoch. Stake with it earns nothing yet.
      </p>
    );
  return null;
}
