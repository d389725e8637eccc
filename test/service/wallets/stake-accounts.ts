import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import { STAKE_STATES, type StakeState } from "../../../generator/contract/wallets.ts";
import {
  createStakeRecords,
  type StakeRecords,
} from "../../../generator/observe/stakes/stake-records.ts";

export interface StakeAccount {
  account: number;
  wallet: number;
  vote?: number;
  lamports?: bigint;
  state?: StakeState;
}

/** From here on every 2,048th is in one shard, as an attacker could choose. */
export const CROWD = 2 ** 24;

/** Distinct keys, spread over all shards up to {@link CROWD}. */
export function keyOf(kind: "account" | "wallet" | "vote", number: number): string {
  return encodePublicKey(bytesOf(kind, number));
}

function bytesOf(kind: "account" | "wallet" | "vote", number: number): Uint8Array {
  const bytes = new Uint8Array(32).fill(kind.length + 1);
  new DataView(bytes.buffer).setUint32(4, number);
  new DataView(bytes.buffer).setUint32(
    28,
    number < CROWD ? Math.imul(number, 0x9e3779b1) >>> 0 : 0,
  );
  return bytes;
}

export function recordsOf(accounts: Iterable<StakeAccount>): StakeRecords {
  const records = createStakeRecords();
  const data = Buffer.alloc(136);
  for (const { account, wallet, vote = 1, lamports = 5n, state = "active" } of accounts) {
    data.set(bytesOf("wallet", wallet));
    data.set(bytesOf("vote", vote), 80);
    data.writeBigUInt64LE(lamports, 112);
    records.addAccount({ data, withdrawerAt: 0, voterAt: 80, state: STAKE_STATES.indexOf(state) });
    const text = Buffer.from(keyOf("account", account));
    records.addKey(text, 0, text.length);
  }
  return records;
}
