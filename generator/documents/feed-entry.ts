import { COMMISSIONS } from "../views/commission-names.ts";
import type { CommissionEvent, ConfirmedBy, Verified } from "../contract/event.ts";
import { toPatternKey, withoutRepeats } from "../contract/repeats.ts";
import type { Network } from "../contract/networks.ts";
import { toName } from "../contract/strangers-text.ts";

/** An event that feeds show: one with a time (ISO 8601 in UTC). */
export type FeedEvent = CommissionEvent & {
  createdAt: string;
  /** Set in feeds: the event's pattern as it is now. */
  patternNow?: CommissionEvent["pattern"];
};

/** How a transaction was verified, as feeds and alerts put it. */
export const VERIFIED_TEXTS: Record<string, string> = {
  signature: "verified by signature; a majority of the endpoints agree on its slot and success",
  "signature, one witness": "verified by signature; only one endpoint reports its slot and success",
  witnesses:
    "not verified by signature, as a program signed or a look-up table names the account; a " +
    "majority of the endpoints agree",
  "one witness":
    "not verified by signature, as a program signed or a look-up table names the account; " +
    "only one endpoint reports it",
} satisfies Record<Verified, string>;

/** Whether an event has a time; one from a public history has none. */
export function isTimed({
  confirmed,
  createdAt,
}: Pick<CommissionEvent, "confirmed" | "createdAt">): boolean {
  return confirmed && createdAt !== null;
}

/**
 * Whether feeds show the event. They leave out events without a time and those replaced by
 * steps.
 */
export function isInFeeds(event: CommissionEvent): event is FeedEvent {
  return isTimed(event) && event.replacedBy === null;
}

/**
 * Events for a feed. A pattern has one entry, that of the rise that made it a pattern; it keeps
 * id, title and times and counts the repeats.
 */
export function selectForFeed(newestFirst: readonly CommissionEvent[]): FeedEvent[] {
  const inFeeds = newestFirst.filter(isInFeeds);
  const now = new Map(withoutRepeats(inFeeds).map((event) => [toPatternKey(event), event.pattern]));
  const first = withoutRepeats(inFeeds.toReversed()).reverse();
  return first.map((event) => ({ ...event, patternNow: now.get(toPatternKey(event)) ?? null }));
}

/**
 * Address of a validator's page on the site.
 * @param siteUrl without a slash at its end
 */
export function toValidatorLink(
  { network, votePubkey }: { network: Network; votePubkey: string },
  siteUrl: string,
): string {
  return `${siteUrl}/validators/${votePubkey}?network=${network}`;
}

/**
 * Latin words come first and between numbers, so that a
 * right-to-left name cannot reverse `from 5 % to 100 %`.
 */
export function toEntryTitle(event: CommissionEvent): string {
  const found = isSwept(event) ? "; seen only in its transaction" : "";
  const again = event.pattern == null ? "" : `; serial flip: ${toCount(event.pattern)}`;
  return `${event.severity}: ${toWho(event)} ${toWhat(event)}${toStart(event)}${again}${found}`;
}

/** HTML of an entry's content; every text in it is escaped. */
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

/** Escaping `>` also keeps `]]>` from ending a CDATA section. */
export function toHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The cleaned name or the vote account: no character that XML 1.0 forbids (§2.2) and no
 * bidirectional control gets in, whichever ledger it comes from.
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

/** What was done to the commission. */
export function toVerb({ delta }: CommissionEvent): string {
  if (delta === null || delta === 0) return "changed";
  return delta > 0 ? "raised" : "lowered";
}

function isRise({ delta }: CommissionEvent): boolean {
  return delta !== null && delta > 0;
}

function toStart(event: CommissionEvent): string {
  if (event.supersededBy !== null) return "; never paid";
  const epochs = toEpochs(event);
  return epochs === null
    ? ""
    : `; ${isRise(event) ? "costs delegators" : "applies"} from ${epochs}`;
}

function toEffect(event: FeedEvent): string {
  if (event.supersededBy !== null)
    return `No rewards are paid at the new rate: event ${event.supersededBy} replaced it before the epoch ended.`;
  const epochs = toEpochs(event);
  if (epochs === null) return "";
  const proviso = event.effectiveEpochFinal
    ? ""
    : " This is provisional: the next validator sets may change it.";
  return `The new rate applies to rewards from ${epochs} on.${proviso}`;
}

function toHabit({ pattern, patternNow }: FeedEvent): string {
  const now = patternNow ?? pattern;
  // A queued alert may predate patterns.
  if (now == null) return "";
  const { from, to, firstEpoch, lastEpoch, changes } = now;
  const repeats = patternNow == null ? "" : " Its repeats have no entries: this one counts them.";
  return `It flips between ${from} % and ${to} %: ${toCount(now)} (${firstEpoch} to ${lastEpoch}), in ${changes} changes.${repeats}`;
}

function toCount({ epochs, ofEpochs }: NonNullable<CommissionEvent["pattern"]>): string {
  return `it rose in ${epochs} of ${ofEpochs} epochs`;
}

/** A range if a boundary lies in the change's window. */
function toEpochs({
  effectiveEpoch: first,
  effectiveEpochLatest: last,
}: CommissionEvent): string | null {
  if (first === null || last === null) return null;
  if (first === last) return `epoch ${first}`;
  return last === first + 1 ? `epoch ${first} or ${last}` : `one of the epochs ${first} to ${last}`;
}

function isSwept({ transaction, previousSlot }: CommissionEvent): boolean {
  return transaction !== null && previousSlot === null;
}

function toEvidence(event: FeedEvent): string {
  const { previousSeenAt, previousSlot, createdAt, slot, confirmedBy } = event;
  if (isSwept(event))
    return `No observation saw the change: its transaction was read at ${createdAt}.`;
  const before =
    previousSeenAt === null || previousSlot === null
      ? ""
      : `The old rate was last seen at ${previousSeenAt}, slot ${previousSlot}. `;
  return `${before}The new rate was first seen at ${createdAt}, slot ${slot}${toConfirmed(confirmedBy)}.`;
}

const CONFIRMED_TEXTS = {
  transaction: "its transaction proves it",
  witnesses: "a majority of the endpoints showed it",
  account: "an endpoint showed it in the account itself",
  observations: "further observations showed it again",
} as const satisfies Record<ConfirmedBy, string>;

function toConfirmed(confirmedBy: ConfirmedBy | null): string {
  return confirmedBy === null ? "" : `, and ${CONFIRMED_TEXTS[confirmedBy]}`;
}

function toProof({ source, transaction }: FeedEvent): string {
  if (source === "MEV") return "";
  if (transaction === null) return "Its transaction has not been found yet.";
  const { signature, slot, blockTime, signer, verified, steps } = transaction;
  const time = blockTime === null ? "" : `, at ${blockTime}`;
  const proof = `Transaction ${signature} in slot ${slot}${time}, signed by ${signer}: ${VERIFIED_TEXTS[verified] ?? verified}.`;
  if (steps.length < 2) return proof;
  const rates = steps.map((step) => `to ${step.commission} % in slot ${step.slot}`);
  return `${proof} The change took ${steps.length} steps: ${rates.join(", then ")}.`;
}
