import type { Network } from "../../../generator/contract/networks.ts";
import type { Profile } from "../../../generator/contract/validator.ts";
import { toWebAddress } from "../../format/url.ts";
import { toShortKey } from "../../format/values.ts";
import { Fact } from "../../parts/Card.tsx";
import { Star } from "../../parts/Star.tsx";
import { ValidatorIcon } from "../../parts/ValidatorName.tsx";
import { Ago, CopyButton } from "../../parts/values.tsx";

/** With what one must know first: that it does not vote, or is gone. */
export function Head({ profile, network }: { profile: Profile; network: Network }) {
  const { name, votePubkey, identityPubkey, iconUrl, listed, rank } = profile;
  return (
    <header class="validator-head">
      <div class="validator-title">
        <ValidatorIcon iconUrl={iconUrl} votePubkey={votePubkey} />
        {/* A stranger's text: isolated, lest it turns the line around. */}
        <h1>{name === null ? <span class="key">{toShortKey(votePubkey)}</span> : <bdi>{name}</bdi>}</h1>
        <Star votePubkey={votePubkey} name={name} />
        <p class="quiet">
          {listed ? `No. ${rank} of ${network} by stake` : `not on ${network} any more`}
          {name === null && " · it gave itself no name"}
        </p>
      </div>
      <dl class="validator-keys">
        <Key name="Vote account" of={votePubkey} />
        {identityPubkey === null ? <Fact name="Identity">{null}</Fact> : <Key name="Identity" of={identityPubkey} />}
        <Fact name="Website">
          <Website address={profile.website} />
        </Fact>
      </dl>
      <Standing profile={profile} />
    </header>
  );
}

/** Until the profile is read. */
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
    <Fact name={name}>
      <span class="key breakable">{of}</span> <CopyButton text={of} what={`the ${name.toLowerCase()}`} />
    </Fact>
  );
}

/** Shown whole, so that one sees where it leads; no Referer. */
function Website({ address }: { address: string | null }) {
  const href = toWebAddress(address);
  if (href === null) return <span class="quiet">none</span>;
  return (
    <a class="breakable" href={href} rel="noopener noreferrer nofollow ugc">
      {href.replace(/^https?:\/\//, "").replace(/\/$/, "")}
    </a>
  );
}
