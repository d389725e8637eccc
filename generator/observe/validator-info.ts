import { z } from "zod";
import type { SnapshotEntry } from "../entries/entry.ts";
import { accountSchema, type Account } from "./accounts.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import { encodePublicKey, publicKeySchema } from "../chain/public-key.ts";
import { toRawTextOrNull } from "./section.ts";
import type { RpcReader } from "../rpc/reader.ts";

type InfoRow = Extract<SnapshotEntry["info"], { state: "ok" }>["value"][number];

/** Program that owns the accounts with validator info. */
export const CONFIG_PROGRAM = "Config1111111111111111111111111111111111111";
/** First key of a config account with validator info. */
export const INFO_MARKER = "Va1idator1nfo111111111111111111111111111111";

/**
 * Offset of the first key. An account holds: count of keys, per key 32 bytes and a signer flag,
 * length of the JSON as u64, JSON, zeros.
 */
export const INFO_MARKER_OFFSET = 1;

/** Offset of the second key, the identity that must have signed. */
export const INFO_IDENTITY_OFFSET = 34;
const SIGNER_FLAG_OFFSET = 66;
const LENGTH_OFFSET = 67;
const JSON_OFFSET = 75;
/** The command line writes at most 576 bytes of JSON; an account may hold megabytes. */
const SLICE_BYTES = 2_048;

const rowSchema = z.object({ pubkey: publicKeySchema, account: accountSchema });

const value = z.unknown().optional();
const textsSchema = z.object({ name: value, website: value, iconUrl: value });
type Texts = z.infer<typeof textsSchema>;

/**
 * Anyone can create an account that names another's identity: only
 * signed ones count. The chain does not say which of several is newest.
 */
export async function readValidatorInfo(
  reader: RpcReader,
  identities: ReadonlySet<string>,
): Promise<InfoRow[]> {
  const filters = [
    { memcmp: { offset: INFO_MARKER_OFFSET, bytes: INFO_MARKER, encoding: "base58" } },
  ];
  const dataSlice = { offset: 0, length: SLICE_BYTES };
  const params = [
    CONFIG_PROGRAM,
    { commitment: COMMITMENT, encoding: "base64", dataSlice, filters },
  ];
  const answer = await reader.call({
    method: "getProgramAccounts",
    params,
    schema: z.array(z.unknown()),
  });
  const rows = new Map<string, InfoRow>();
  for (const raw of answer) {
    const account = rowSchema.safeParse(raw);
    const row = account.success ? decodeInfo(account.data.pubkey, account.data.account) : null;
    if (row === null || !identities.has(row.identity)) continue;
    const other = rows.get(row.identity);
    if (other === undefined || row.account < other.account) rows.set(row.identity, row);
  }
  return [...rows.values()].sort((a, b) => (a.identity < b.identity ? -1 : 1));
}

function decodeInfo(account: string, { owner, data }: Account): InfoRow | null {
  if (owner !== CONFIG_PROGRAM || data.length < JSON_OFFSET || data[0] !== 2) return null;
  if (encodePublicKey(data.subarray(INFO_MARKER_OFFSET, INFO_MARKER_OFFSET + 32)) !== INFO_MARKER)
    return null;
  if (data[SIGNER_FLAG_OFFSET] !== 1) return null;
  const length = new DataView(data.buffer, data.byteOffset).getBigUint64(LENGTH_OFFSET, true);
  if (length > BigInt(data.length - JSON_OFFSET)) return null;
  const texts = parseTexts(data.subarray(JSON_OFFSET, JSON_OFFSET + Number(length)));
  if (texts === null) return null;
  return {
    identity: encodePublicKey(data.subarray(INFO_IDENTITY_OFFSET, INFO_IDENTITY_OFFSET + 32)),
    account,
    name: toRawTextOrNull(texts.name),
    website: toRawTextOrNull(texts.website),
    iconUrl: toRawTextOrNull(texts.iconUrl),
  };
}

/** Some accounts hold other texts, or no UTF-8. */
function parseTexts(bytes: Uint8Array): Texts | null {
  try {
    const texts = textsSchema.safeParse(
      JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    );
    return texts.success ? texts.data : null;
  } catch {
    return null;
  }
}
