import { hash } from "node:crypto";
import type { EpochReading } from "../contract/epoch.ts";
import { compareText, takeEpochs } from "../contract/lists.ts";
import { toStake } from "../contract/numbers.ts";
import { PARAMETERS } from "../contract/parameters.ts";
import type { SearchResult } from "../contract/search.ts";
import type { SnapshotIndex } from "../contract/snapshot-index.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import { measureSlotMilliseconds } from "../ledger/uptime/slot-time.ts";
import { summariseRugs } from "./rugs.ts";
import { findStandingRugs } from "./standing-rugs.ts";
import { toValidator } from "./validator.ts";
import { findRecord, type View } from "./view.ts";

/** 96 bits of SHA-256. */
const VERSION_LENGTH = 16;

/** The document from which the proxy answers queries. */
export function renderSnapshotIndex(view: View): SnapshotIndex {
  const { ledger, latestEpoch } = view;
  const { network } = ledger;
  const { rows, global } = summariseRugs([...view.trackedEpochs()], view.eventsByEpoch());
  const validators = view.listed().flatMap(({ vote }) => {
    const found = findRecord(view, vote);
    return found === null ? [] : [toValidator(view, found)];
  });
  return {
    network,
    snapshotAt: ledger.snapshot?.time ?? null,
    latestEpoch,
    epoch: toEpochReading(ledger),
    networkStake: toStake(ledger.listedStake),
    listVersion: hash("sha256", JSON.stringify(validators), "base64url").slice(0, VERSION_LENGTH),
    validators,
    unlisted: unlistedByRank(ledger).map(toSearchResult),
    events: takeEpochs(view.events(), latestEpoch, PARAMETERS.epochs.max),
    rugsPerEpoch: rows,
    rugsGlobal: global,
    standingRugs: findStandingRugs(view, validators),
  };
}

function toEpochReading({ snapshot, slotTimeAnchors }: Ledger): EpochReading | null {
  if (snapshot === null) return null;
  const { epoch, slotIndex, slotsInEpoch, absoluteSlot, time } = snapshot;
  const slotMilliseconds = measureSlotMilliseconds(slotTimeAnchors);
  return { epoch, slotIndex, slotsInEpoch, absoluteSlot, observedAt: time, slotMilliseconds };
}

function unlistedByRank({ validators }: Ledger): ValidatorRecord[] {
  const rankOf = ({ rank }: ValidatorRecord) => (rank === 0 ? Infinity : rank);
  const compare = (a: ValidatorRecord, b: ValidatorRecord) =>
    rankOf(a) === rankOf(b) ? compareText(a.vote, b.vote) : rankOf(a) - rankOf(b);
  return validators.filter(({ listed }) => !listed).sort(compare);
}

function toSearchResult(record: ValidatorRecord): SearchResult {
  return {
    votePubkey: record.vote,
    name: record.name,
    iconUrl: record.iconUrl,
    identityPubkey: record.identity,
    rank: record.rank === 0 ? null : record.rank,
    activeStake: toStake(record.activeStake),
    delinquent: record.delinquent,
    verdict: null,
  };
}
