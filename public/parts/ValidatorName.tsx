import { useState } from "preact/hooks";
import { toValidatorAddress, toWebAddress } from "../format/url.ts";
import { toShortKey } from "../format/values.ts";
import { useUrl } from "./use-url.ts";

interface ValidatorNameProps {
  votePubkey: string;
  name: string | null;
  /** undefined: no icon; null: initials. */
  iconUrl?: string | null;
}

export function ValidatorName({ votePubkey, name, iconUrl }: ValidatorNameProps) {
  const { network } = useUrl();
  return (
    <a class="validator-name" href={toValidatorAddress(votePubkey, network)} title={votePubkey}>
      {iconUrl !== undefined && <ValidatorIcon iconUrl={iconUrl} votePubkey={votePubkey} />}
      {/* A stranger's text: bdi, or it could reverse the direction of the line. */}
      {name === null ? (
        <span class="key">{toShortKey(votePubkey)}</span>
      ) : (
        <bdi class="name">{name}</bdi>
      )}
    </a>
  );
}

/** The key's first signs, until its picture is there: over https, without a Referer. */
export function ValidatorIcon({
  iconUrl,
  votePubkey,
}: {
  iconUrl: string | null;
  votePubkey: string;
}) {
  const [loaded, setLoaded] = useState<string | null>(null);
  const source = toWebAddress(iconUrl, ["https:"]);
  const isLoaded = source !== null && source === loaded;
  return (
    <span class="icon" aria-hidden="true">
      {!isLoaded && votePubkey.slice(0, 2)}
      {source !== null && (
        <img
          key={source}
          class={isLoaded ? "icon-picture" : undefined}
          src={source}
          alt=""
          width="24"
          height="24"
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onLoad={() => setLoaded(source)}
        />
      )}
    </span>
  );
}
