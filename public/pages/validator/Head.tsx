import type { ComponentChildren } from "preact";
import type { Network } from "../../../generator/contract/networks.ts";
import type { Profile } from "../../../generator/contract/validator.ts";
import { toWebAddress } from "../../format/url.ts";
import { toShortKey } from "../../format/values.ts";
import { ValidatorIcon } from "../../parts/ValidatorName.tsx";
import { Ago, CopyButton } from "../../parts/values.tsx";

/** Who it is, and what one must know before all else: that it does not vote, or is gone. */
export function Head({ profile, network }: { profile: Profile; network: Network }) {
  const { name, votePubkey, identityPubkey, iconUrl, listed, rank } = profile;
  return (
    <header class="validator-head">
      <div class="validator-title">
        <ValidatorIcon iconUrl={iconUrl} votePubkey={votePubkey} />
        {/* The name is a stranger's text: isolated, lest its direction turns the line around. */}
        <h1>{name === null ? <span class="key">{toShortKey(votePubkey)}</span> : <bdi>{name}</bdi>}</h1>
        <p class="quiet">
          {listed ? `No. ${rank} of ${network} by stake` : `not on ${network} any more`}
          {name === null && " · it gave itself no name"}
        </p>
      </div>
      <dl class="validator-keys">
        <Key name="Vote account" of={votePubkey} />
        {identityPubkey === null ? (
          <Line name="Identity">
            <span class="quiet">not known</span>
          </Line>
        ) : (
          <Key name="Identity" of={identityPubkey} />
        )}
        <Line name="Website">
          <Website address={profile.website} />
        </Line>
      </dl>
      <Standing profile={profile} />
    </header>
  );
}

/** As long as no more is known than what the address says. */
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
        <strong>Gone.</strong> Its vote account has left the cluster
        {lastSeenAt !== null && (
          <>
            {" "}
            and was last seen <Ago time={lastSeenAt} />
          </>
        )}
        . What stands here is what was known then.
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
        : while it does not vote, stake with it earns nothing.
      </p>
    );
  if (!inValidatorSet)
    return (
      <p class="standing">
        <strong>Not in the validator set</strong> of this epoch: stake with it earns nothing yet.
      </p>
    );
  return null;
}

function Key({ name, of }: { name: string; of: string }) {
  return (
    <Line name={name}>
      <span class="key breakable">{of}</span> <CopyButton text={of} what={`the ${name.toLowerCase()}`} />
    </Line>
  );
}

function Line({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A stranger's address: shown whole, so that one sees where it leads, and not told where one comes from. */
function Website({ address }: { address: string | null }) {
  const href = toWebAddress(address);
  if (href === null) return <span class="quiet">none</span>;
  return (
    <a class="breakable" href={href} rel="noopener noreferrer nofollow ugc">
      {href.replace(/^https?:\/\//, "").replace(/\/$/, "")}
    </a>
  );
}
