import { useState } from "preact/hooks";
import { toWebAddress } from "../format/web-address.ts";

/**
 * The icon that a validator names, from wherever it lies: only over https, only when it comes into view, and without telling
 * whose page asks. Without one, or where it cannot be had, two signs of the key on a neutral ground.
 */
export function ValidatorIcon({ iconUrl, votePubkey }: { iconUrl: string | null; votePubkey: string }) {
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
