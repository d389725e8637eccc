import { base58 } from "@scure/base";
import { eventSchema, type CommissionEvent } from "../../generator/contract/event.ts";
import { DEFAULT_NETWORK, type Network } from "../../generator/contract/networks.ts";
import { toPageHtml } from "../../generator/contract/page-shell.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import {
  OBJECTS,
  type DocumentOf,
  type NamesOf,
  type ObjectKind,
} from "../../generator/contract/objects.ts";
import { searchResultSchema, type SearchResult } from "../../generator/contract/search.ts";
import {
  snapshotIndexSchema,
  type SnapshotIndex,
} from "../../generator/contract/snapshot-index.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { NO_STANDING_RUGS } from "../../generator/contract/standing-rugs.ts";
import {
  validatorSchema,
  type Profile,
  type Validator,
} from "../../generator/contract/validator.ts";
import { createRaster, toPng } from "../../generator/documents/png.ts";
import examples from "../../generator/contract/openapi-examples.json" with { type: "json" };
import type { Stake } from "../../generator/contract/values.ts";

/** The hour at which everything below was seen. */
export const SEEN_AT = "2026-11-20T12:00:00.000Z";
export const LATEST_EPOCH = 1060;
export const LIST_VERSION = "5q0Zk8mT2hVwYx1c";
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
    ...examples.listValidators.data[1],
    votePubkey: toPubkey(rank),
    identityPubkey: toPubkey(rank + 100),
    name: `Validator ${rank}`,
    rank,
    commission: 5,
    activeStake: toStake(20_000_000_000_000_001n - BigInt(rank)),
    location: null,
    ...changes,
  });
}

/** A rug that an account shows, of the latest epoch. */
export function makeEvent(changes: Partial<CommissionEvent> = {}): CommissionEvent {
  const { epoch = LATEST_EPOCH, votePubkey = toPubkey(1), severity = "RUG" } = changes;
  return eventSchema.parse({
    ...examples.listEvents.data[0],
    id: `${votePubkey}-${epoch}-${severity}`,
    votePubkey,
    severity,
    epoch,
    createdAt: SEEN_AT,
    slot: epoch * 432_000,
    effectiveEpoch: epoch + 2,
    effectiveEpochLatest: epoch + 2,
    confirmedBy: "account",
    transaction: null,
    pattern: null,
    cost: null,
    ...changes,
  });
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
    verdict: null,
    ...changes,
  } satisfies SearchResult);
}

const makeRugs = (epoch: number) => ({
  ...examples.getRugsPerEpoch.data[0]!,
  epoch,
  totalEvents: epoch % 3,
});

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
    listVersion: LIST_VERSION,
    validators: Array.from({ length: VALIDATORS }, (_, index) => makeValidator(index + 1)),
    unlisted: [makeUnlisted(200)],
    events: [
      makeEvent({ epoch: LATEST_EPOCH }),
      makeEvent({ epoch: LATEST_EPOCH, severity: "INFO", toCommission: 6, delta: 1 }),
      makeEvent({ epoch: LATEST_EPOCH - 9, severity: "CAUTION", toCommission: 30, delta: 25 }),
      makeEvent({ epoch: LATEST_EPOCH - 10 }),
      makeEvent({ epoch: LATEST_EPOCH - 49 }),
    ],
    rugsPerEpoch: Array.from({ length: TRACKED_EPOCHS }, (_, index) =>
      makeRugs(firstEpoch + index),
    ),
    rugsGlobal: examples.getRugsPerEpoch.meta.global,
    standingRugs: NO_STANDING_RUGS,
    ...changes,
  } satisfies SnapshotIndex);
}

export const makeProfile = (rank: number) => {
  const { verdict } = examples.getValidator.data;
  return { ...examples.getValidator.data, ...makeValidator(rank), verdict } as Profile;
};

/**
 * Days of checks of the validator of rank 1, oldest
 * first; on the newest it was delinquent for 15 minutes.
 */
export function makeUptime(votePubkey: string): DocumentOf<"uptime"> {
  const data = ["2026-11-17", "2026-11-18", "2026-11-19"].map((date, index) => ({
    date,
    uptimeChecks: 1_440,
    delinquentChecks: index === 2 ? 15 : 0,
    uptimePercent: index === 2 ? 98.96 : 100,
  }));
  const sums = {
    known: true,
    daysTracked: 3,
    overallUptimePercent: 99.65,
    uptimeChecks: 4_320,
    delinquentChecks: 15,
  };
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
  const data = {
    ...asOf,
    votePubkeys: [votePubkey],
    wallets,
    stakeAccounts: [[stakeAccount, wallet, ...delegated]],
  };
  const meta = { network: DEFAULT_NETWORK, shard: "1-0", leftOut: 0 };
  return [
    publish("walletShard", { shard: "1-0" }, {
      data,
      meta,
    } as unknown as DocumentOf<"walletShard">),
    publish(
      "wallets",
      {},
      {
        data: { ...asOf, stakeAccounts: 1, wallets: 1, shards: 1 },
        meta: { network: DEFAULT_NETWORK },
      },
    ),
  ];
}

/** The example in the API's description, told of the validator of rank 1 and of rugs. */
function publishExample<Kind extends ObjectKind & keyof typeof OPERATIONS>(
  kind: Kind,
  names: NamesOf<Kind>,
) {
  const example = JSON.stringify(examples[OPERATIONS[kind].operationId as keyof typeof examples]);
  const told = example
    .replaceAll(PARAMETERS.votePubkey.example, toPubkey(1))
    .replaceAll(/(?<!"verdict":")caution/g, "rug");
  return publish(kind, names, JSON.parse(told) as DocumentOf<Kind>);
}

function makeMainnet(): PublishedObject[] {
  const [votePubkey, network] = [toPubkey(1), DEFAULT_NETWORK];
  const ofValidator = { network, total: 1, votePubkey };
  const ofEpoch = { network, epoch: LATEST_EPOCH, total: 1, uniqueValidators: 1 };
  const closed = { epoch: LATEST_EPOCH - 1 };
  const parquet = `PAR1${"parquet ".repeat(300)}PAR1`;
  return [
    publish("index", {}, makeIndex()),
    publish("validator", { votePubkey }, { data: makeProfile(1), meta: { network } }),
    publish("validatorEvents", { votePubkey }, { data: [makeEvent()], meta: ofValidator }),
    publishExample("validatorTransactions", { votePubkey }),
    publishExample("commissionHistory", { votePubkey }),
    publishExample("stakeHistory", { votePubkey }),
    publish("uptime", { votePubkey }, makeUptime(votePubkey)),
    publishExample("location", { votePubkey }),
    publishExample("epochs", {}),
    publish("epochEvents", { epoch: LATEST_EPOCH }, { data: [makeEvent()], meta: ofEpoch }),
    publish("newestChanges", {}, { data: [], meta: { network, edition: "1", head: 0 } }),
    publishExample("stakeConcentration", {}),
    ...makeWallets(),
    publishExample("status", {}),
    publishExample("exports", {}),
    publishExample("eventsCsv", {}),
    publish("eventsParquet", {}, parquet),
    publishExample("costsCsv", {}),
    publish("costsParquet", {}, parquet),
    publishExample("rugsCsv", {}),
    publish("rugsParquet", {}, parquet),
    publishExample("validatorsCsv", {}),
    publish("validatorsParquet", {}, parquet),
    publishExample("locationsCsv", {}),
    publish("locationsParquet", {}, parquet),
    publishExample("epochsCsv", {}),
    publish("epochsParquet", {}, parquet),
    publishExample("uptimeCsv", { month: PARAMETERS.month.example }),
    publish("uptimeParquet", { month: PARAMETERS.month.example }, parquet),
    publish("historyCsv", closed, examples.getHistoryCsv.repeat(20)),
    publish("historyParquet", closed, parquet),
    publishExample("atomFeed", { feed: "rug" }),
    publishExample("jsonFeed", { feed: "rug" }),
    publishExample("validatorAtomFeed", { votePubkey }),
    publishExample("validatorJsonFeed", { votePubkey }),
    publishExample("badge", { votePubkey }),
    makePicture(votePubkey),
    publish("page", { votePubkey }, makePage(votePubkey)),
    publishExample("sitemap", {}),
  ];
}

function makePicture(votePubkey: string): PublishedObject {
  const key = toObjectKey(DEFAULT_NETWORK, "picture", { votePubkey });
  const raster = createRaster({ width: 80, height: 42, palette: ["#ffffff"] });
  return { key, body: toPng(raster, `"/${key}"`) };
}

const makePage = (votePubkey: string) =>
  toPageHtml({
    title: "One",
    head: "",
    body: "One",
    address: `/pages/${DEFAULT_NETWORK}/${votePubkey}.html`,
  });

/** Mainnet: the index, and every document of the validator of rank 1. */
export const MAINNET: readonly PublishedObject[] = makeMainnet();
