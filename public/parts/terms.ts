/** Headings of GLOSSARY.md; the first sentence is the tooltip. */
export const TERMS = [
  "Active stake",
  "Announced commission",
  "Block revenue commission",
  "CAUTION",
  "Confirmed",
  "Delinquent",
  "Epoch",
  "INFO",
  "MEV commission",
  "Nakamoto coefficient",
  "Paid commission",
  "Pattern",
  "Priority fees",
  "Provisional",
  "RUG",
  "Snapshot",
  "Unconfirmed",
  "Uptime",
  "Verdict",
  "Withdraw authority",
] as const;

export type TermName = (typeof TERMS)[number];
