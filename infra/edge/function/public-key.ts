import { table } from "./table.ts";

const BYTES = 32;

/**
 * Whether a text is Base58 of exactly 32 bytes. Nothing is decoded: each leading 1 is a byte of zero, and the number behind
 * them must fill the other bytes and not exceed them. Base58's digits stand in the order of their character codes, so two
 * numbers without leading zeros compare by their length and then as texts do.
 */
export function isPublicKey(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return false;
  const number = text.replace(/^1+/, "");
  const bytes = BYTES - (text.length - number.length);
  if (number === "") return bytes === 0;
  return bytes > 0 && !isLess(number, table.powers[bytes - 1] || "") && isLess(number, table.powers[bytes] || "");
}

function isLess(one: string, other: string): boolean {
  return one.length === other.length ? one < other : one.length < other.length;
}
