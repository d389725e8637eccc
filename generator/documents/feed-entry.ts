import type { CommissionEvent, Source, Verified } from "../contract/event.ts";
import { toPatternKey, withoutRepeats } from "../contract/lists.ts";
import type { Network } from "../contract/networks.ts";
import { toName } from "../contract/strangers-text.ts";

/** An event that was confirmed: it has a time. */
export type FeedEvent = CommissionEvent & {
  createdAt: string;
  /** In a feed: its pattern as it stands now. */
  patternNow?: CommissionEvent["pattern"];
};

const COMMISSIONS = { COMMISSION: "inflation commission", MEV: "MEV commission" } as const satisfies Record<
  Source,
  string
>;

const VERIFIED_TEXTS: Record<string, string> = {
  signature: "verified by signature, and told by a majority of the endpoints alike",
  "signature, one witness": "verified by signature; its slot is the word of one endpoint",
  witnesses: "told by a majority of the endpoints alike, not verified: a program signed, or a table names the account",
  "one witness": "the word of one endpoint, not verified: a program signed, or a table names the account",
} satisfies Record<Verified, string>;

/** Whether an event has a time: what a public history tells has none, and was not seen twice. */
export function isTimed({ confirmed, createdAt }: Pick<CommissionEvent, "confirmed" | "createdAt">): boolean {
  return confirmed && createdAt !== null;
}

/** Feeds, and alerts, leave out what has no time (design §4), and an event whose steps are events of their own: they are told. */
export function isInFeeds(event: CommissionEvent): event is FeedEvent {
  return isTimed(event) && event.replacedBy === null;
}

/**
 * What feeds, and alerts, tell of events, newest first. A pattern is told once, by the rise that made it one: its entry keeps its
 * id, its title and its times, and counts the repeats, which have no entry of their own.
 */
export function toTold(newestFirst: readonly CommissionEvent[]): FeedEvent[] {
  const shown = newestFirst.filter(isInFeeds);
  const now = new Map(withoutRepeats(shown).map((event) => [toPatternKey(event), event.pattern]));
  const first = withoutRepeats(shown.toReversed()).reverse();
  return first.map((event) => ({ ...event, patternNow: now.get(toPatternKey(event)) ?? null }));
}

/** Page of the validator. */
export function toValidatorLink(
  { network, votePubkey }: { network: Network; votePubkey: string },
  siteUrl: string,
): string {
  return `${siteUrl}/validators/${votePubkey}?network=${network}`;
}

/**
 * An event in one sentence of plain text. It begins with a Latin word, and words stand between the numbers: a name that is
 * written from right to left must not make `from 5 % to 100 %` read the other way round.
 */
export function toEntryTitle(event: CommissionEvent): string {
  const found = isSwept(event) ? "; found by its transaction" : "";
  const again = event.pattern == null ? "" : `; serial flip, ${toCount(event.pattern)}`;
  return `${event.severity}: ${toWho(event)} ${toWhat(event)}${toStart(event)}${again}${found}`;
}

/** The same with the evidence that the event carries, as paragraphs of HTML. */
export function toContentHtml(event: FeedEvent, network: Network): string {
  const { votePubkey, delta, epoch, id } = event;
  const by = delta === null ? "" : `, by ${Math.abs(delta)} percentage points`;
  const paragraphs = [
    `${toWho(event)} ${toWhat(event)}${by}.`,
    toEffect(event),
    toHabit(event),
    toEvidence(event),
    toProof(event),
    `Vote account ${votePubkey} on ${network}, epoch ${epoch}, event ${id}.`,
  ];
  return paragraphs
    .filter((text) => text !== "")
    .map((text) => `<p>${toHtml(text)}</p>`)
    .join("");
}

/** Text as HTML that shows just this text. No `>` is left, and so no `]]>` to end a CDATA section. */
export function toHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The validator's name, or else its vote account. The fold has cleaned the name; cleaned again, nothing that XML 1.0 does not
 * allow (§2.2) or that turns the order of a text can get in, whoever made the ledger.
 */
function toWho({ validatorName, votePubkey }: CommissionEvent): string {
  return toName(validatorName) ?? votePubkey;
}

function toWhat(event: CommissionEvent): string {
  const from = toRate(event.fromCommission, event.fromDisabled);
  const to = toRate(event.toCommission, event.toDisabled);
  return `${toVerb(event)} its ${COMMISSIONS[event.source]} from ${from} to ${to}`;
}

function toRate(percent: number | null, isDisabled: boolean): string {
  if (isDisabled) return "disabled";
  return percent === null ? "unknown" : `${percent} %`;
}

function toVerb({ delta }: CommissionEvent): string {
  if (delta === null || delta === 0) return "changed";
  return delta > 0 ? "raised" : "lowered";
}

function isRise({ delta }: CommissionEvent): boolean {
  return delta !== null && delta > 0;
}

function toStart(event: CommissionEvent): string {
  if (event.supersededBy !== null) return "; never paid";
  const epochs = toEpochs(event);
  return epochs === null ? "" : `; ${isRise(event) ? "costs" : "counts"} from ${epochs}`;
}

function toEffect(event: FeedEvent): string {
  if (event.supersededBy !== null)
    return `No rewards are paid at the new rate: event ${event.supersededBy} took it away before the epoch ended.`;
  const epochs = toEpochs(event);
  if (epochs === null) return "";
  const proviso = event.effectiveEpochFinal ? "" : " This is provisional: the next validator sets may change it.";
  return `The first rewards that are paid at the new rate are those of ${epochs}.${proviso}`;
}

/** The pattern as it stands, in a feed; elsewhere as it stood. */
function toHabit({ pattern, patternNow }: FeedEvent): string {
  const now = patternNow ?? pattern;
  // An alert that waits may be of before there were patterns.
  if (now == null) return "";
  const { from, to, firstEpoch, lastEpoch, changes } = now;
  const repeats = patternNow == null ? "" : " No feed shows its repeats: this entry counts them.";
  return `It flips between ${from} % and ${to} %: ${toCount(now)}, ${firstEpoch} to ${lastEpoch}, by ${changes} changes.${repeats}`;
}

function toCount({ epochs, ofEpochs }: NonNullable<CommissionEvent["pattern"]>): string {
  return `risen in ${epochs} of ${ofEpochs} epochs`;
}

/** The epoch, or those of which it is one, where an epoch began while the change was being made. null: not known. */
function toEpochs({ effectiveEpoch: first, effectiveEpochLatest: last }: CommissionEvent): string | null {
  if (first === null || last === null) return null;
  if (first === last) return `epoch ${first}`;
  return last === first + 1 ? `epoch ${first} or ${last}` : `one of the epochs ${first} to ${last}`;
}

/** No observation saw it: its transaction alone tells of it. */
function isSwept({ transaction, previousSlot }: CommissionEvent): boolean {
  return transaction !== null && previousSlot === null;
}

function toEvidence(event: FeedEvent): string {
  const { previousSeenAt, previousSlot, createdAt, slot, confirmedBy } = event;
  if (isSwept(event)) return `No observation saw it: its transaction was read at ${createdAt}.`;
  const before =
    previousSeenAt === null || previousSlot === null
      ? ""
      : `The old rate was last seen at ${previousSeenAt}, slot ${previousSlot}. `;
  const decided = confirmedBy === "transaction" ? "its transaction" : "a second reading";
  return `${before}The new rate was first seen at ${createdAt}, slot ${slot}, and ${decided} confirmed it.`;
}

/** The transaction behind it. MEV commission is changed by none that would be looked for. */
function toProof({ source, transaction }: FeedEvent): string {
  if (source === "MEV") return "";
  if (transaction === null) return "Its transaction is not found yet.";
  const { signature, slot, blockTime, signer, verified, steps } = transaction;
  const time = blockTime === null ? "" : `, at ${blockTime}`;
  const proof = `Transaction ${signature} in slot ${slot}${time}, signed by ${signer}: ${VERIFIED_TEXTS[verified] ?? verified}.`;
  if (steps.length < 2) return proof;
  const rates = steps.map((step) => `to ${step.commission} % in slot ${step.slot}`);
  return `${proof} It was made in ${steps.length} steps: ${rates.join(", then ")}.`;
}
