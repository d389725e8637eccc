import type { ComponentChildren } from "preact";
import type { Network } from "../../../generator/contract/networks.ts";
import type { Profile } from "../../../generator/contract/validator.ts";
import { toWebAddress } from "../../format/url.ts";
import { toShortKey } from "../../format/values.ts";
import { Fact } from "../../parts/Card.tsx";
import { AnswerLink } from "../../parts/AnswerLink.tsx";
import { Star } from "../../parts/Star.tsx";
import { VERDICT_WORDS, VerdictWord } from "../../parts/VerdictWord.tsx";
import { ValidatorIcon } from "../../parts/ValidatorName.tsx";
import { Ago, CopyButton } from "../../parts/values.tsx";

/** No heading, because it stands above the h1. */
export function Verdict({ verdict: { level, reasons } }: Pick<Profile, "verdict">) {
  const [first, ...others] = reasons;
  return (
    <section
      class={`validator-verdict verdict-${level}`}
      aria-label={`Verdict: ${VERDICT_WORDS[level].word}`}
    >
      <VerdictWord level={level} />
      <p class="verdict-first">{first?.text}</p>
      {others.length > 0 && (
        <ul class="verdict-others">
          {others.map(({ code, text }) => (
            <li key={code}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface HeadProps {
  profile: Profile;
  network: Network;
  /** Below the name. */
  children: ComponentChildren;
}

export function Head({ profile, network, children }: HeadProps) {
  const { name, votePubkey, identityPubkey, iconUrl, listed, rank, delinquent, inValidatorSet } =
    profile;
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
          {listed ? `No. ${rank} by stake on ${network}` : `left ${network}`}
          {listed && !delinquent && inValidatorSet && " · voting"}
          {name === null && " · has no name"}
        </p>
      </div>
      {children}
      <dl class="validator-keys">
        <Key name="Vote account" of={votePubkey} />
        {identityPubkey === null ? (
          <Fact name="Identity">{null}</Fact>
        ) : (
          <Key name="Identity" of={identityPubkey} />
        )}
        <Fact name="Website">
          <Website address={profile.website} />
        </Fact>
      </dl>
      <p class="quiet">
        Run this validator?{" "}
        <AnswerLink votePubkey={votePubkey} event={null}>
          Answer here
        </AnswerLink>
      </p>
      <Standing profile={profile} />
    </header>
  );
}

export function HeadOfKey({ votePubkey }: { votePubkey: string }) {
  return (
    <header class="validator-head">
      <div class="validator-title">
        <ValidatorIcon iconUrl={null} votePubkey={votePubkey} />
        <h1>
          <span class="key">{toShortKey(votePubkey)}</span>
        </h1>
      </div>
      <dl class="validator-keys">
        <Key name="Vote account" of={votePubkey} />
      </dl>
    </header>
  );
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

function Key({ name, of }: { name: string; of: string }) {
  return (
    <Fact name={name}>
      <span class="key breakable">{of}</span>{" "}
      <CopyButton text={of} what={`the ${name.toLowerCase()}`} />
    </Fact>
  );
}

/** The whole address, so people see where it leads; no Referer. */
function Website({ address }: { address: string | null }) {
  const href = toWebAddress(address);
  if (href === null) return <span class="quiet">none</span>;
  return (
    <a class="breakable" href={href} rel="noopener noreferrer nofollow ugc">
      {href.replace(/^https?:\/\//, "").replace(/\/$/, "")}
    </a>
  );
}
