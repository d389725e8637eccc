import { decodePublicKey } from "../../../../generator/chain/public-key.ts";

// Fields of instructions as the programs of the chain read them (bincode): numbers little-endian, an enum's choice as u32.

export const u8 = (value: number): Uint8Array => Uint8Array.of(value);
export const u16 = (value: number): Uint8Array => write(2, (view) => view.setUint16(0, value, true));
export const u32 = (value: number): Uint8Array => write(4, (view) => view.setUint32(0, value, true));
export const u64 = (value: bigint): Uint8Array => write(8, (view) => view.setBigUint64(0, value, true));
export const address = (text: string): Uint8Array => decodePublicKey(text);

/** Fields, one after the other. */
export function layOut(...fields: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(fields);
}

function write(size: number, fill: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  fill(new DataView(bytes.buffer));
  return bytes;
}
