import { base58 } from "@scure/base";
import { Feed as FeedWriter } from "feed";
import { eventSchema, type CommissionEvent } from "../../generator/contract/event.ts";
import { EXPORT_TABLES } from "../../generator/contract/export.ts";
import { DEFAULT_NETWORK, type Network } from "../../generator/contract/networks.ts";
import { toPageHtml } from "../../generator/contract/page-shell.ts";
import {
  OBJECTS,
  toObjectKey,
  type DocumentOf,
  type NamesOf,
  type ObjectKind,
} from "../../generator/contract/objects.ts";
import { searchResultSchema, type SearchResult } from "../../generator/contract/search.ts";
import { snapshotIndexSchema, type SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { NO_STANDING_RUGS } from "../../generator/contract/standing-rugs.ts";
import type { RugsPerEpoch } from "../../generator/contract/stats.ts";
import { validatorSchema, type Profile, type Validator } from "../../generator/contract/validator.ts";
import examples from "../../generator/contract/openapi-examples.json" with { type: "json" };
import type { Stake } from "../../generator/contract/values.ts";

/** The hour at which everything below was seen. */
export const SEEN_AT = "2026-11-20T12:00:00.000Z";
export const LATEST_EPOCH = 1060;
/** Epochs the made-up network was watched for, the latest one included. */
export const TRACKED_EPOCHS = 120;
/** More than a page by default, fewer than the largest page. */
export const VALIDATORS = 60;

/** The public key whose 32 bytes all have one value. */
export function toPubkey(byte: number): string {
  return base58.encode(new Uint8Array(32).fill(byte));
}

export function toStake(lamports: bigint): Stake {
  return { lamports: String(lamports), sol: Number(lamports) / 1e9 };
}

/** The validator of a rank: its key, name and stake follow from it. */
export function makeValidator(rank: number, changes: Partial<Validator> = {}): Validator {
  return validatorSchema.parse({
    votePubkey: toPubkey(rank),
    identityPubkey: toPubkey(rank + 100),
    name: `Validator ${rank}`,
    iconUrl: null,
    website: "https://validator.example",
    version: "4.2.1",
    clientType: "agave",
    clientId: 3,
    client: "Agave",
    rank,
    commission: 5,
    activeStake: toStake(20_000_000_000_000_001n - BigInt(rank)),
    activatingStake: toStake(0n),
    deactivatingStake: toStake(0n),
    stakePercent: 1.6667,
    stakeAccountCount: 12,
    delinquent: false,
    delinquentSince: null,
    mevVendorEnabled: true,
    batchVendorEnabled: false,
    firstSeenEpoch: 941,
    updatedAt: SEEN_AT,
    location: null,
    inValidatorSet: true,
    stakeAccountsAsOf: SEEN_AT,
    appliedCommission: 5,
    pattern: null,
    ...changes,
  } satisfies Validator);
}

export function makeEvent(changes: Partial<CommissionEvent> = {}): CommissionEvent {
  const { epoch = LATEST_EPOCH, votePubkey = toPubkey(1), severity = "RUG" } = changes;
  return eventSchema.parse({
    id: `${votePubkey}-${epoch}-${severity}`,
    votePubkey,
    validatorName: "Validator 1",
    severity,
    source: "COMMISSION",
    fromCommission: 5,
    toCommission: 100,
    fromDisabled: false,
    toDisabled: false,
    delta: 95,
    epoch,
    createdAt: SEEN_AT,
    slot: epoch * 432_000,
    previousSlot: Math.max(0, epoch * 432_000 - 150),
    previousSeenAt: SEEN_AT,
    effectiveEpoch: epoch + 2,
    confirmed: true,
    effectiveEpochLatest: epoch + 2,
    effectiveEpochFinal: false,
    confirmedBy: "account",
    transaction: null,
    supersededBy: null,
    replacedBy: null,
    pattern: null,
    incident: null,
    cost: null,
    mevCost: null,
    ...changes,
  } satisfies CommissionEvent);
}

export function makeUnlisted(byte: number, changes: Partial<SearchResult> = {}): SearchResult {
  return searchResultSchema.parse({
    votePubkey: toPubkey(byte),
    name: `Gone ${byte}`,
    iconUrl: null,
    identityPubkey: null,
    rank: 200,
    activeStake: toStake(0n),
    delinquent: true,
    ...changes,
  } satisfies SearchResult);
}

function makeRugs(epoch: number): RugsPerEpoch {
  const commissionEvents = epoch % 3;
  return {
    epoch,
    uniqueValidators: commissionEvents,
    commissionEvents,
    mevEvents: 0,
    totalEvents: commissionEvents,
    unconfirmedEvents: 0,
    commissionValidators: commissionEvents,
    mevValidators: 0,
    bothTypes: 0,
    lamportsLost: null,
  };
}

export function makeIndex(changes: Partial<SnapshotIndex> = {}): SnapshotIndex {
  const firstEpoch = LATEST_EPOCH - TRACKED_EPOCHS + 1;
  return snapshotIndexSchema.parse({
    network: DEFAULT_NETWORK,
    snapshotAt: SEEN_AT,
    latestEpoch: LATEST_EPOCH,
    epoch: {
      epoch: LATEST_EPOCH,
      slotIndex: 1_000,
      slotsInEpoch: 432_000,
      absoluteSlot: LATEST_EPOCH * 432_000 + 1_000,
      observedAt: SEEN_AT,
      slotMilliseconds: 200,
    },
    networkStake: toStake(1_200_000_000_000_000_000n),
    validators: Array.from({ length: VALIDATORS }, (_, index) => makeValidator(index + 1)),
    unlisted: [makeUnlisted(200)],
    events: [
      makeEvent({ epoch: LATEST_EPOCH }),
      makeEvent({ epoch: LATEST_EPOCH, severity: "INFO", toCommission: 6, delta: 1 }),
      makeEvent({ epoch: LATEST_EPOCH - 9, severity: "CAUTION", toCommission: 30, delta: 25 }),
      makeEvent({ epoch: LATEST_EPOCH - 10 }),
      makeEvent({ epoch: LATEST_EPOCH - 49 }),
    ],
    rugsPerEpoch: Array.from({ length: TRACKED_EPOCHS }, (_, index) => makeRugs(firstEpoch + index)),
    rugsGlobal: {
      totalRuggedValidators: 7,
      repeatOffenders: 2,
      epochsTracked: TRACKED_EPOCHS,
      peakEpoch: LATEST_EPOCH - 1,
      peakValidators: 2,
      averagePerEpoch: 1,
      commissionEvents: 120,
      mevEvents: 0,
    },
    standingRugs: NO_STANDING_RUGS,
    ...changes,
  } satisfies SnapshotIndex);
}

export function makeProfile(rank: number): Profile {
  return {
    ...makeValidator(rank),
    mev: { epoch: LATEST_EPOCH, mevCommission: 8, priorityFeeCommission: null },
    performance: {
      epoch: LATEST_EPOCH,
      skipRate: 0.5,
      voteCredits: 1_000,
      voteCreditsUnit: "credits",
      leaderSlots: 200,
      blocksProduced: 199,
      asOf: SEEN_AT,
    },
    listed: true,
    lastSeenAt: null,
    withdrawAuthority: null,
    blockRevenueCommission: null,
    commissionCollector: null,
    accountChanges: [],
    verdict: { level: "good", reasons: [{ code: "no_rise", text: "No rise in 312 epochs." }] },
  };
}

/** Days of checks of the validator of rank 1, oldest first; on the newest it was delinquent for 15 minutes. */
export function makeUptime(votePubkey: string): DocumentOf<"uptime"> {
  const data = ["2026-11-17", "2026-11-18", "2026-11-19"].map((date, index) => ({
    date,
    uptimeChecks: 1_440,
    delinquentChecks: index === 2 ? 15 : 0,
    uptimePercent: index === 2 ? 98.96 : 100,
  }));
  const sums = { daysTracked: 3, overallUptimePercent: 99.65, uptimeChecks: 4_320, delinquentChecks: 15 };
  return { data, meta: { network: DEFAULT_NETWORK, votePubkey, ...sums } };
}

/** An object of the public store, checked by its own schema. */
export interface PublishedObject {
  key: string;
  body: Uint8Array;
}

export function publish<Kind extends ObjectKind>(
  kind: Kind,
  names: NamesOf<Kind>,
  document: DocumentOf<Kind>,
  network: Network = DEFAULT_NETWORK,
): PublishedObject {
  OBJECTS[kind].schema.parse(document);
  const text = typeof document === "string" ? document : JSON.stringify(document);
  return { key: toObjectKey(network, kind, names), body: new TextEncoder().encode(text) };
}

/** An index of one stake account, {@link toPubkey} of 2, of the wallet of 1. */
export function makeWallets(): PublishedObject[] {
  const [wallet, stakeAccount, votePubkey] = [toPubkey(1), toPubkey(2), toPubkey(3)];
  const delegated = [0, "5000000000", "active"] as const;
  const asOf = { epoch: LATEST_EPOCH, slot: 7, asOf: SEEN_AT };
  const wallets = [[wallet, 1, delegated[1], [[stakeAccount, ...delegated]]]];
  const data = { ...asOf, votePubkeys: [votePubkey], wallets, stakeAccounts: [[stakeAccount, wallet, ...delegated]] };
  const meta = { network: DEFAULT_NETWORK, shard: "1-0", leftOut: 0 };
  return [
    publish("walletShard", { shard: "1-0" }, { data, meta } as unknown as DocumentOf<"walletShard">),
    publish(
      "wallets",
      {},
      { data: { ...asOf, stakeAccounts: 1, wallets: 1, shards: 1 }, meta: { network: DEFAULT_NETWORK } },
    ),
  ];
}

/** Mainnet: the index, and every document of the validator of rank 1. */
export function makeMainnet(): PublishedObject[] {
  const votePubkey = toPubkey(1);
  const network = DEFAULT_NETWORK;
  const ofValidator = { network, total: 1, votePubkey };
  const ofEpoch = { network, epoch: LATEST_EPOCH, total: 1, uniqueValidators: 1 };
  const point = { epoch: LATEST_EPOCH, commission: 100, mevCommission: null, appliedCommission: 5 };
  const stakePoint = { epoch: LATEST_EPOCH, activeStake: toStake(20_000_000_000_000_000n), rank: 1 };
  const location = examples.getLocation as DocumentOf<"location">;
  return [
    publish("index", {}, makeIndex()),
    publish("validator", { votePubkey }, { data: makeProfile(1), meta: { network } }),
    publish("validatorEvents", { votePubkey }, { data: [makeEvent()], meta: ofValidator }),
    publish("commissionHistory", { votePubkey }, { data: [point], meta: ofValidator }),
    publish("stakeHistory", { votePubkey }, { data: [stakePoint], meta: ofValidator }),
    publish("uptime", { votePubkey }, makeUptime(votePubkey)),
    publish("location", { votePubkey }, { ...location, meta: { network, votePubkey } }),
    publish("epochEvents", { epoch: LATEST_EPOCH }, { data: [makeEvent()], meta: ofEpoch }),
    publish("stakeConcentration", {}, examples.getStakeConcentration as DocumentOf<"stakeConcentration">),
    ...makeWallets(),
    publish("status", {}, examples.getStatus as DocumentOf<"status">),
    publish("exports", {}, makeExportList()),
    publish("eventsCsv", {}, `${Object.keys(EXPORT_TABLES.events).join(",")}\r\n`),
    publish("eventsParquet", {}, `PAR1${"parquet ".repeat(300)}PAR1`),
    publish("historyCsv", { epoch: LATEST_EPOCH - 1 }, makeHistoryCsv()),
    publish("historyParquet", { epoch: LATEST_EPOCH - 1 }, `PAR1${"parquet ".repeat(300)}PAR1`),
    publish("atomFeed", { feed: "rug" }, makeAtomFeed("rug")),
    publish("jsonFeed", { feed: "rug" }, makeJsonFeed("rug")),
    publish("validatorAtomFeed", { votePubkey }, makeAtomFeed(`validators/${votePubkey}`)),
    publish("validatorJsonFeed", { votePubkey }, makeJsonFeed(`validators/${votePubkey}`)),
    publish("badge", { votePubkey }, makeBadge(votePubkey)),
    publish("page", { votePubkey }, makePage(votePubkey)),
    publish("sitemap", {}, makeSitemap()),
  ];
}

const makeBadge = (votePubkey: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" data-address="/badges/${DEFAULT_NETWORK}/${votePubkey}.svg"></svg>`;
const makePage = (votePubkey: string) =>
  toPageHtml({ title: "One", head: "", body: "One", address: `/pages/${DEFAULT_NETWORK}/${votePubkey}.html` });
const makeSitemap = () =>
  `<?xml version="1.0" encoding="utf-8"?>\n<!-- "/pages/${DEFAULT_NETWORK}/sitemap.xml" -->\n<urlset ></urlset>\n`;

function makeExportList(): DocumentOf<"exports"> {
  const path = `/exports/${DEFAULT_NETWORK}/history/${LATEST_EPOCH - 1}`;
  const file = { table: "history", epoch: LATEST_EPOCH - 1, rows: 60, bytes: 2_408, sha256: "0".repeat(64) } as const;
  const data = (["csv", "parquet"] as const).map((format) => ({ path: `${path}.${format}`, format, ...file }));
  return { data, meta: { network: DEFAULT_NETWORK, total: data.length } };
}

function makeHistoryCsv(): DocumentOf<"historyCsv"> {
  const rows = Array.from({ length: VALIDATORS }, (_, index) => `${LATEST_EPOCH - 1},${toPubkey(index + 1)},7,1,5,,5`);
  return [Object.keys(EXPORT_TABLES.history).join(","), ...rows, ""].join("\r\n");
}

/** A feed without entries: the proxy passes it through. */
function makeAtomFeed(feed: string): DocumentOf<"atomFeed"> {
  const writer = new FeedWriter({
    id: `urn:rugwatch:feed:${DEFAULT_NETWORK}:${feed}`,
    title: "Rugwatch",
    updated: new Date(SEEN_AT),
    feedLinks: { atom: `https://rugwatch.example/feeds/${DEFAULT_NETWORK}/${feed}.atom` },
  });
  return writer.atom1();
}

function makeJsonFeed(feed: string): DocumentOf<"jsonFeed"> {
  const item = {
    id: "urn:rugwatch:0123456789abcdef01234567",
    content_html: `<p>${"One raised its inflation commission. ".repeat(40)}</p>`,
    url: `https://rugwatch.example/validators/${toPubkey(1)}?network=${DEFAULT_NETWORK}`,
    title: "RUG: One raised its inflation commission",
    date_modified: SEEN_AT,
    date_published: SEEN_AT,
    tags: ["RUG", "COMMISSION"],
  };
  return {
    version: "https://jsonfeed.org/version/1.1",
    title: "Rugwatch",
    home_page_url: "https://rugwatch.example/",
    feed_url: `https://rugwatch.example/feeds/${DEFAULT_NETWORK}/${feed}.json`,
    description: "Rugs",
    language: "en",
    authors: [{ name: "Rugwatch", url: "https://rugwatch.example" }],
    items: [item],
  };
}
