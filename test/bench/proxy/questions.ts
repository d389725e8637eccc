import type { SnapshotIndex } from "../../../generator/contract/snapshot-index.ts";
import { createRandom } from "../../cluster/random.ts";

const random = createRandom("searches");

export const SEARCH_TEXTS = 20_000;

const SEARCH_SHARES = {
  nameBeginning: 30,
  namePart: 20,
  keyBeginning: 20,
  key: 10,
  keyPart: 10,
  miss: 10,
};

export const LIST_PATH = "/api/v1/validators";
export const MISSING_PATH = "/api/v1/validators/11111111111111111111111111111111";

export function toSearchPaths({ validators, unlisted }: SnapshotIndex): string[] {
  const known = [...validators, ...unlisted];
  const texts = new Set<string>();
  for (let turn = 0; texts.size < SEARCH_TEXTS; turn += 1) {
    const one = known[random.whole(known.length, "validator", turn)];
    if (one !== undefined) texts.add(toText({ name: one.name ?? "", key: one.votePubkey }, turn));
  }
  return Array.from(texts, (text) => `/api/v1/search?q=${encodeURIComponent(text)}`);
}

function toText({ name, key }: { name: string; key: string }, turn: number): string {
  switch (toShare(random.whole(100, "share", turn))) {
    case "nameBeginning":
      return cut(name, 0, turn);
    case "namePart":
      return cut(name, random.whole(Math.max(1, name.length - 2), "from", turn), turn);
    case "keyBeginning":
      return cut(key, 0, turn);
    case "key":
      return key;
    case "keyPart":
      return cut(key, random.whole(40, "from", turn), turn);
    case "miss":
      // No key holds a zero, and no name of the simulated cluster an exclamation mark.
      return `${cut(name, 0, turn)}!0${turn}`;
  }
}

/**
 * From a place on, two characters at least. Names run out
 * of different parts, so case varies: it does not matter.
 */
function cut(text: string, from: number, turn: number): string {
  const part = text.slice(from, from + 2 + random.whole(12, "length", turn)).trim();
  const cased = Array.from(part, (letter, at) =>
    random.whole(2, "case", turn, at) === 0 ? letter : letter.toLowerCase(),
  );
  return cased.join("").padEnd(2, "a");
}

function toShare(percent: number): keyof typeof SEARCH_SHARES {
  let below = 0;
  for (const [share, percents] of Object.entries(SEARCH_SHARES)) {
    below += percents;
    if (percent < below) return share as keyof typeof SEARCH_SHARES;
  }
  throw new Error("the shares are less than a hundred");
}
