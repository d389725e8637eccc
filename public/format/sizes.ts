const UNITS = ["kB", "MB", "GB"] as const;

/** A size for people, by thousands as disks and networks count: "512 bytes", "1.3 kB", "12 MB". */
export function toSize(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value.toLocaleString("en", { maximumSignificantDigits: 3 })} ${UNITS[power - 1] ?? ""}`;
}
