/** Longest text of a public key in Base58. */
export const KEY_TEXT_BYTES_MAX = 44;
const KEY_TEXT_BYTES_MIN = 32;

const IS_BASE58 = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(/[1-9A-HJ-NP-Za-km-z]/.test(String.fromCharCode(code))),
);

/** Whether bytes may be the text of a key. Nobody can ask for one that decodes to another length. */
export function isKeyText(text: Uint8Array, start: number, end: number): boolean {
  if (end - start < KEY_TEXT_BYTES_MIN || end - start > KEY_TEXT_BYTES_MAX) return false;
  for (let at = start; at < end; at += 1) if (IS_BASE58[text[at] ?? 0] !== 1) return false;
  return true;
}
