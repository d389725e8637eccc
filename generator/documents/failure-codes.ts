/**
 * Codes by what tells them, in the order of publication. Each pattern is a wording of ours, so
 * that nothing but a code or a number leaves a text in which endpoints may have written.
 */
const CODES: readonly (readonly [code: string, pattern: RegExp])[] = [
  ["not_read_yet", /^not read yet$/],
  ["witnesses_silent", /^\d+ of \d+ witnesses silent/],
  ["no_majority", /^no majority of the witnesses/],
  ["rows_unreadable", /^\d+ rows of the list of vote accounts/],
  ["other_cluster", /genesis hash is/],
  ["clock", /this machine's clock is/],
  ["behind", /\bbehind\b|slots before slot|the epoch changed/],
  ["timeout", /no answer in time|no time left to ask/],
  ["resting", /not asked: /],
  ["no_connection", /\b(?:E[A-Z]{4,15}|UND_ERR_[A-Z_]{3,30})\b/],
  ["unreadable", /unexpected shape|expected JSON|the answer (?:broke off|has|is)|the list is/],
];

/** What a status or a code is quoted as: `http_503`, `rpc_-32005`. */
const NUMBERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["http", /HTTP status (\d{3})\b/g],
  ["rpc", /\berror (-?\d{1,9}): /g],
];

/** Most codes of one reason: an endpoint may write any number of them. */
const CODES_MAX = 8;

/**
 * Why a source is not ok as codes, comma separated. The sentence itself may be an endpoint's and
 * stays with the operator: in the journal, the log and the doctor.
 */
export function toFailureCodes(reason: string): string {
  const named = CODES.flatMap(([code, pattern]) => (pattern.test(reason) ? [code] : []));
  const numbered = NUMBERS.flatMap(([name, pattern]) =>
    Array.from(reason.matchAll(pattern), ([, number = ""]) => `${name}_${number}`),
  );
  const codes = [...new Set([...named, ...numbered])].slice(0, CODES_MAX);
  return codes.length === 0 ? "failed" : codes.join(", ");
}
