/**
 * What of the newest events the page asks for: five days of mainnet, the repeats of a pattern as one. Ten epochs with all repeats
 * are over 100 KB where much changes, which is more than all else of the first page that anybody sees.
 */
export const NEWEST = { epochs: 5, collapse: "true" } as const;
