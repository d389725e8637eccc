/** By UTF-16 code units: a locale would order differently from machine to machine. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
