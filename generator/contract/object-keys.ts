import { FEEDS } from "./feed.ts";
import { FOLDERS, FORMS } from "./forms.ts";
import type { Network } from "./networks.ts";
import { OBJECTS, type NamesOf, type ObjectKind, type ObjectReference } from "./objects.ts";
import { readShardCount } from "./wallets.ts";

/**
 * Returns the key of an object in the public store, for example
 * `api/v1/mainnet/validators/VOTE/events.json`.
 */
export function toObjectKey<Kind extends ObjectKind>(
  network: Network,
  kind: Kind,
  names: NamesOf<Kind>,
): string {
  const { form, path } = OBJECTS[kind];
  const { folder, extension } = FORMS[form];
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    toText(name, (names as Record<string, string | number>)[name]),
  );
  return `${folder}/${network}/${named}.${extension}`;
}

function toText(name: string, value: string | number | undefined): string {
  return name === "segment" ? String(value).padStart(6, "0") : String(value);
}

/**
 * Returns which object lies under a key of the public store; null: none of this network's. The
 * inverse of {@link toObjectKey}.
 */
export function fromObjectKey(network: Network, key: string): ObjectReference | null {
  for (const [kind, { form, path }] of Object.entries(OBJECTS)) {
    const { folder, extension } = FORMS[form];
    const start = `${folder}/${network}/`;
    if (!key.startsWith(start)) continue;
    const pattern = path
      .replace("{votePubkey}", "(?<votePubkey>[1-9A-HJ-NP-Za-km-z]{32,44})")
      .replace("{epoch}", "(?<epoch>0|[1-9]\\d{0,15})")
      .replace("{month}", "(?<month>20\\d{2}-(?:0[1-9]|1[0-2]))")
      .replace("{segment}", "(?<segment>\\d{6,15})")
      .replace("{feed}", `(?<feed>${FEEDS.join("|")})`)
      .replace("{shard}", "(?<shard>\\d{1,4}-\\d{1,4})");
    const match = new RegExp(`^${pattern}\\.${extension}$`).exec(key.slice(start.length));
    if (match === null) continue;
    const { epoch, segment, ...texts } = { ...match.groups };
    const names = {
      ...texts,
      ...(epoch && { epoch: Number(epoch) }),
      ...(segment && { segment: Number(segment) }),
    };
    const reference = { kind, names } as ObjectReference;
    const isWhole = toObjectKey(network, reference.kind, reference.names) === key;
    return isWhole &&
      (reference.kind !== "walletShard" || readShardCount(reference.names.shard) !== null)
      ? reference
      : null;
  }
  return null;
}

/** Returns prefixes below which everything published of a network lies. */
export function toNetworkPrefixes(network: Network): string[] {
  return FOLDERS.map((folder) => `${folder}/${network}/`);
}
