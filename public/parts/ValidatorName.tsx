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

/** Over https, without a Referer. */
export function ValidatorIcon({
  iconUrl,
  votePubkey,
}: {
  iconUrl: string | null;
  votePubkey: string;
}) {
  const [failed, setFailed] = useState<string | null>(null);
  const source = toWebAddress(iconUrl, ["https:"]);
  if (source === null || failed === source)
    return (
      <span class="icon icon-none" aria-hidden="true">
        {votePubkey.slice(0, 2)}
      </span>
    );
  return (
    <img
      class="icon"
      src={source}
      alt=""
      width="24"
      height="24"
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setFailed(source)}
    />
  );
}
