import { createHash } from "node:crypto";

/** A draw depends on seed, label and numbers only, never on the order of calls. */
export interface Random {
  /** 32 bytes that look like a real key. */
  bytes(label: string, ...at: number[]): Uint8Array;
  /** At least 0, below 1. */
  fraction(label: string, ...at: number[]): number;
  whole(below: number, label: string, ...at: number[]): number;
  /** 0 to `count` − 1. */
  order(count: number, label: string): number[];
}

export function createRandom(seed: string): Random {
  const start = scramble(seed, 0x811c9dc5);

  function fraction(label: string, ...at: number[]): number {
    let state = scramble(label, start);
    for (const number of at) state = mix(state ^ number);
    return (mix(state) >>> 0) / 2 ** 32;
  }

  function bytes(label: string, ...at: number[]): Uint8Array {
    return createHash("sha256")
      .update([seed, label, ...at].join("/"))
      .digest();
  }

  function order(count: number, label: string): number[] {
    const keys = Array.from({ length: count }, (_, index) => fraction(label, index));
    return [...keys.keys()].sort(
      (left, right) => (keys[left] ?? 0) - (keys[right] ?? 0) || left - right,
    );
  }

  return {
    bytes,
    fraction,
    whole: (below, label, ...at) => Math.floor(below * fraction(label, ...at)),
    order,
  };
}

/** FNV-1a. */
function scramble(text: string, start: number): number {
  let hash = start;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** MurmurHash3's finaliser. */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
