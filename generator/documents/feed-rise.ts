import { OUTDATED_SLOTS } from "../ledger/belief.ts";
import type { Network } from "../contract/networks.ts";
import { toPercent } from "../contract/numbers.ts";
import { epochAt } from "../ledger/schedule.ts";
import { toName } from "../contract/strangers-text.ts";
import { toBlockRevenueRises, toWhat, type BlockRevenueRise } from "../views/block-revenue.ts";
import { toHtml, VERIFIED_TEXTS } from "./feed-entry.ts";
import { findRecord, type View } from "./view.ts";

/** A large rise of block revenue commission that snapshots showed: it has a time that stays. */
export interface RiseEntry {
  id: string;
  votePubkey: string;
  /** Cleaned name or vote account. */
  who: string;
  createdAt: string;
  /** The earliest epoch in which it may have been made. */
  earliestEpoch: number;
  rise: BlockRevenueRise & { seen: NonNullable<BlockRevenueRise["seen"]> };
}

/** Large rises of a validator, newest first; empty if it was never seen. */
export function toRiseEntries(view: View, votePubkey: string): RiseEntry[] {
  const record = findRecord(view, votePubkey)?.record;
  if (record === undefined) return [];
  const { network, series } = view.ledger;
  const subject = `${network}:${series === 1 ? "" : `${series}:`}${votePubkey}`;
  const who = toName(record.name) ?? votePubkey;
  return toBlockRevenueRises(record)
    .flatMap((rise) => (rise.seen === null ? [] : [{ ...rise, seen: rise.seen }]))
    .map((rise) => {
      const { first, previous } = rise.seen;
      return {
        id: `urn:rugwatch:block-revenue:${subject}:${first.slot}`,
        votePubkey,
        who,
        createdAt: first.time,
        earliestEpoch: rise.proof?.epoch ?? epochAt(view.ledger, previous.slot - OUTDATED_SLOTS),
        rise,
      };
    })
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

/** Title of the feed entry, as plain text. */
export function toRiseTitle({ who, rise }: RiseEntry): string {
  return `CAUTION: ${who} ${toWhat(rise)}`;
}

/** HTML of the feed entry's content; every text in it is escaped. */
export function toRiseHtml(
  { votePubkey, who, rise, earliestEpoch }: RiseEntry,
  network: Network,
): string {
  const { from, to, epoch } = rise;
  const paragraphs = [
    `${who} ${toWhat(rise)}, by ${toPercent(to - from)} percentage points.`,
    toEffect(earliestEpoch, epoch),
    toEvidence(rise),
    toProof(rise),
    `Vote account ${votePubkey} on ${network}, epoch ${epoch}.`,
  ];
  return paragraphs.map((text) => `<p>${toHtml(text)}</p>`).join("");
}

/**
 * SIMD-0123: the blocks of an epoch pay by the vote account as it was when the epoch before began.
 */
function toEffect(earliest: number, epoch: number): string {
  const from =
    earliest === epoch
      ? `epoch ${epoch + 2}`
      : `epoch ${earliest + 2}, or ${epoch + 2} at the latest,`;
  return `If the new rate still stands when epoch ${epoch} ends, it applies to blocks from ${from} on (SIMD-0123).`;
}

function toEvidence({ seen: { previous, first } }: RiseEntry["rise"]): string {
  return (
    `The old rate was last read at ${previous.time}, slot ${previous.slot}. ` +
    `The new rate was first read at ${first.time}, slot ${first.slot}, and a second snapshot showed it again.`
  );
}

function toProof({ proof }: RiseEntry["rise"]): string {
  if (proof === null) return "Its transaction has not been found yet.";
  const { signature, slot, blockTime, signer, verified } = proof;
  const time = blockTime === null ? "" : `, at ${blockTime}`;
  const how = VERIFIED_TEXTS[verified] ?? verified;
  return `Transaction ${signature} in slot ${slot}${time}, signed by ${signer}: ${how}.`;
}
