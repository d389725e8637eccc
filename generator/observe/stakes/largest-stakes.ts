import { REWARDED_ACCOUNTS_MAX } from "../../entries/rewards.ts";
import { isKeyText, KEY_TEXT_BYTES_MAX } from "./key-text.ts";

/** The largest stake accounts of each voter, found in one pass over all accounts. */
export interface LargestStakes {
  /**
   * Adds an account; its key comes before or after it.
   * @param voterIndex null: not to be found
   * @returns false when another account still waits for its key
   */
  addAccount(voterIndex: number | null, lamports: number): boolean;
  /** Returns false for no possible key, or when another waits for its account. */
  addKey(text: Uint8Array, start: number, end: number): boolean;
  isPaired(): boolean;
  append(part: LargestStakes): void;
  /** Largest first. */
  of(voterIndex: number): readonly LargeStake[];
}

interface LargeStake {
  stakeAccount: string;
  /** Rounded to a number: it only orders. */
  lamports: number;
}

/** No accounts yet. */
export function createLargestStakes(voterCount: number): LargestStakes {
  const largest: LargeStake[][] = Array.from({ length: voterCount }, () => []);
  const key = Buffer.alloc(KEY_TEXT_BYTES_MAX);
  let keyBytes: number | null = null;
  let account: { voterIndex: number | null; lamports: number } | null = null;

  function complete(): void {
    if (account === null || keyBytes === null) return;
    const { voterIndex, lamports } = account;
    if (voterIndex !== null && isLarge(voterIndex, lamports))
      insert(voterIndex, { stakeAccount: key.toString("latin1", 0, keyBytes), lamports });
    account = keyBytes = null;
  }

  function isLarge(voterIndex: number, lamports: number): boolean {
    const least = largest[voterIndex]?.[REWARDED_ACCOUNTS_MAX - 1];
    return least === undefined || lamports > least.lamports;
  }

  function insert(voterIndex: number, stake: LargeStake): void {
    const own = [...(largest[voterIndex] ?? []), stake];
    own.sort((one, other) => other.lamports - one.lamports);
    largest[voterIndex] = own.slice(0, REWARDED_ACCOUNTS_MAX);
  }

  return {
    addAccount(voterIndex, lamports) {
      if (account !== null) return false;
      account = { voterIndex, lamports };
      complete();
      return true;
    },
    addKey(text, start, end) {
      if (keyBytes !== null || !isKeyText(text, start, end)) return false;
      // Most accounts are too small, so their keys become no text.
      key.set(text.subarray(start, end));
      keyBytes = end - start;
      complete();
      return true;
    },
    isPaired: () => account === null && keyBytes === null,
    append(part) {
      for (let voterIndex = 0; voterIndex < voterCount; voterIndex += 1)
        for (const stake of part.of(voterIndex))
          if (isLarge(voterIndex, stake.lamports)) insert(voterIndex, stake);
    },
    of: (voterIndex) => largest[voterIndex] ?? [],
  };
}
