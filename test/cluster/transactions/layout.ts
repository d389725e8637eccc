import { decodePublicKey } from "../../../generator/chain/public-key.ts";

// bincode: little-endian, enum tags as u32.

export const u8 = (value: number): Uint8Array => Uint8Array.of(value);
export const u16 = (value: number): Uint8Array =>
  write(2, (view) => view.setUint16(0, value, true));
export const u32 = (value: number): Uint8Array =>
  write(4, (view) => view.setUint32(0, value, true));
export const u64 = (value: bigint): Uint8Array =>
  write(8, (view) => view.setBigUint64(0, value, true));
export const address = (text: string): Uint8Array => decodePublicKey(text);

export function layOut(...fields: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(fields);
}

/** With a compact count. */
export function toVector(parts: readonly Uint8Array[]): Uint8Array {
  return layOut(toCompact(parts.length), ...parts);
}

/** Seven bits a byte, lowest first. */
export function toCompact(count: number): Uint8Array {
  const bytes: number[] = [];
  let left = count;
  for (; left > 0x7f; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return Uint8Array.of(...bytes, left);
}

function write(size: number, fill: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  fill(new DataView(bytes.buffer));
  return bytes;
}
