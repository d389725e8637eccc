import { z } from "zod";
import type { CacheClass } from "./cache.ts";
import { changeSchema, editionSchema, headSchema } from "./change.ts";
import { eventSchema, severitySchema } from "./event.ts";
import { eventValidatorSchema } from "./event-validators.ts";
import { csvSchemaOf, exportFileSchema, parquetSchema } from "./export.ts";
import { atomFeedSchema, FEEDS, jsonFeedSchema, type Feed } from "./feed.ts";
import { FOLDERS, FORMS, type Form } from "./forms.ts";
import {
  commissionPointSchema,
  locationSchema,
  stakePointSchema,
  uptimeDaySchema,
} from "./history.ts";
import type { Network } from "./networks.ts";
import { snapshotIndexSchema } from "./snapshot-index.ts";
import { badgeSchema, pageSchema, sitemapSchema } from "./share.ts";
import { concentrationSchema, rugsGlobalSchema, rugsPerEpochSchema } from "./stats.ts";
import { standingRugsSchema } from "./standing-rugs.ts";
import { statusSchema } from "./status.ts";
import { profileSchema, validatorSchema } from "./validator.ts";
import {
  countSchema,
  envelopeOf,
  percentSchema,
  pubkeySchema,
  stakeSchema,
  timeSchema,
} from "./values.ts";
import { readShardCount, walletShardSchema, walletsSchema } from "./wallets.ts";

/** What names one object of a kind beside the network. */
export interface ObjectNames {
  none: Record<string, never>;
  votePubkey: { votePubkey: string };
  epoch: { epoch: number };
  feed: { feed: Feed };
  segment: { segment: number };
  /** As `toWalletShard` names it. */
  shard: { shard: string };
}

interface ObjectKindRow {
  form: Form;
  /**
   * Path below `FOLDER/NETWORK/`, with the names in
   * braces; folder and ending are those of the form.
   */
  path: string;
  named: keyof ObjectNames;
  cache: CacheClass;
  /**
   * When a publication puts it: a list after what it points at, the index after all
   * lists, exports last, as news must not wait for them. null: it is put apart.
   */
  stage: number | null;
  schema: z.ZodType;
}

const latestEpoch = countSchema
  .nullable()
  .meta({ description: "The newest tracked epoch; null: none yet." });
const total = { total: countSchema.meta({ description: "Number of rows in `data`." }) };
const ofValidator = {
  votePubkey: pubkeySchema.meta({ description: "The requested vote account." }),
};

/**
 * Every kind of object in the public store. The document of `/api/v1/PATH?network=N`,
 * all other parameters at their defaults, is the object `api/v1/N/PATH.json`. Of
 * other forms the public address is the key itself, but for pages.
 */
export const OBJECTS = {
  validators: {
    form: "document",
    path: "validators",
    named: "none",
    cache: "snapshot",
    stage: 2,
    schema: envelopeOf(z.array(validatorSchema), {
      page: z.int().min(1).meta({ description: "Number of this page." }),
      limit: z.int().min(1).max(100).meta({ description: "Validators on a page." }),
      total: countSchema.meta({ description: "Number of validators on all pages." }),
      totalPages: countSchema.meta({ description: "Number of pages at this limit." }),
      networkStake: stakeSchema.meta({ description: "Active stake of all listed validators." }),
      snapshotAt: timeSchema
        .nullable()
        .meta({ description: "Time of the snapshot, UTC; null: none yet." }),
    }),
  },
  validator: {
    form: "document",
    path: "validators/{votePubkey}",
    named: "votePubkey",
    cache: "snapshot",
    stage: 1,
    schema: envelopeOf(profileSchema, {}),
  },
  validatorEvents: {
    form: "document",
    path: "validators/{votePubkey}/events",
    named: "votePubkey",
    cache: "events",
    stage: 1,
    schema: envelopeOf(z.array(eventSchema), { ...total, ...ofValidator }),
  },
  commissionHistory: {
    form: "document",
    path: "validators/{votePubkey}/commission-history",
    named: "votePubkey",
    cache: "snapshot",
    stage: 1,
    schema: envelopeOf(z.array(commissionPointSchema), { ...total, ...ofValidator }),
  },
  stakeHistory: {
    form: "document",
    path: "validators/{votePubkey}/stake-history",
    named: "votePubkey",
    cache: "snapshot",
    stage: 1,
    schema: envelopeOf(z.array(stakePointSchema), { ...total, ...ofValidator }),
  },
  uptime: {
    form: "document",
    path: "validators/{votePubkey}/uptime",
    named: "votePubkey",
    cache: "snapshot",
    stage: 1,
    schema: envelopeOf(z.array(uptimeDaySchema), {
      ...ofValidator,
      daysTracked: countSchema.meta({ description: "Days in this answer." }),
      overallUptimePercent: percentSchema.meta({
        description: "Uptime over these days, percent, two decimals.",
      }),
      uptimeChecks: countSchema.meta({ description: "Checks of these days." }),
      delinquentChecks: countSchema.meta({
        description: "Checks that found the validator delinquent.",
      }),
    }),
  },
  location: {
    form: "document",
    path: "validators/{votePubkey}/location",
    named: "votePubkey",
    cache: "snapshot",
    stage: 1,
    schema: envelopeOf(locationSchema, ofValidator),
  },
  events: {
    form: "document",
    path: "events",
    named: "none",
    cache: "events",
    stage: 2,
    schema: envelopeOf(z.array(eventSchema), {
      ...total,
      latestEpoch,
      epochs: z
        .int()
        .min(1)
        .max(50)
        .meta({ description: "How many of the newest epochs this answer covers." }),
      severity: severitySchema
        .nullable()
        .meta({ description: "The requested severity; null: all." }),
      validators: z
        .array(eventValidatorSchema)
        .meta({ description: "The validators of these events, most stake first." }),
    }),
  },
  newestChanges: {
    form: "document",
    path: "changes",
    named: "none",
    cache: "events",
    stage: 3,
    schema: envelopeOf(z.array(changeSchema), { edition: editionSchema, head: headSchema }),
  },
  changeSegment: {
    form: "document",
    path: "changes/{segment}",
    named: "segment",
    cache: "snapshot",
    stage: 2,
    schema: envelopeOf(z.array(changeSchema), { edition: editionSchema, segment: z.int().min(1) }),
  },
  epochEvents: {
    form: "document",
    path: "epochs/{epoch}/events",
    named: "epoch",
    cache: "events",
    stage: 2,
    schema: envelopeOf(z.array(eventSchema), {
      epoch: countSchema.meta({ description: "The requested epoch." }),
      ...total,
      uniqueValidators: countSchema.meta({
        description: "Number of validators with these events.",
      }),
    }),
  },
  rugsPerEpoch: {
    form: "document",
    path: "stats/rugs-per-epoch",
    named: "none",
    cache: "events",
    stage: 2,
    schema: envelopeOf(z.array(rugsPerEpochSchema), {
      latestEpoch,
      epochs: z.int().min(1).max(100).meta({ description: "Epochs on a page." }),
      offset: countSchema.meta({
        description: "Epochs between the newest one and the end of this page.",
      }),
      total: countSchema.meta({ description: "Number of tracked epochs on all pages." }),
      global: rugsGlobalSchema,
      standing: standingRugsSchema,
    }),
  },
  stakeConcentration: {
    form: "document",
    path: "stats/stake-concentration",
    named: "none",
    cache: "snapshot",
    stage: 2,
    schema: envelopeOf(concentrationSchema, {}),
  },
  status: {
    form: "document",
    path: "status",
    named: "none",
    cache: "status",
    stage: null,
    schema: envelopeOf(statusSchema, {}),
  },
  wallets: {
    form: "document",
    path: "wallets",
    named: "none",
    cache: "snapshot",
    stage: null,
    schema: walletsSchema,
  },
  /** Read by the proxy alone: answers about single wallets are made of it. */
  walletShard: {
    form: "document",
    path: "wallets/{shard}",
    named: "shard",
    cache: "snapshot",
    stage: null,
    schema: walletShardSchema,
  },
  index: {
    form: "document",
    path: "index",
    named: "none",
    cache: "events",
    stage: 3,
    schema: snapshotIndexSchema,
  },
  eventsCsv: {
    form: "csv",
    path: "events",
    named: "none",
    cache: "snapshot",
    stage: 4,
    schema: csvSchemaOf("events"),
  },
  eventsParquet: {
    form: "parquet",
    path: "events",
    named: "none",
    cache: "snapshot",
    stage: 4,
    schema: parquetSchema,
  },
  historyCsv: {
    form: "csv",
    path: "history/{epoch}",
    named: "epoch",
    cache: "snapshot",
    stage: 4,
    schema: csvSchemaOf("history"),
  },
  historyParquet: {
    form: "parquet",
    path: "history/{epoch}",
    named: "epoch",
    cache: "snapshot",
    stage: 4,
    schema: parquetSchema,
  },
  exports: {
    form: "document",
    path: "exports",
    named: "none",
    cache: "snapshot",
    stage: 5,
    schema: envelopeOf(z.array(exportFileSchema), total),
  },
  atomFeed: {
    form: "atomFeed",
    path: "{feed}",
    named: "feed",
    cache: "events",
    stage: 2,
    schema: atomFeedSchema,
  },
  jsonFeed: {
    form: "jsonFeed",
    path: "{feed}",
    named: "feed",
    cache: "events",
    stage: 2,
    schema: jsonFeedSchema,
  },
  /** Only of validators that something has happened to: most have none. */
  validatorAtomFeed: {
    form: "atomFeed",
    path: "validators/{votePubkey}",
    named: "votePubkey",
    cache: "events",
    stage: 1,
    schema: atomFeedSchema,
  },
  validatorJsonFeed: {
    form: "jsonFeed",
    path: "validators/{votePubkey}",
    named: "votePubkey",
    cache: "events",
    stage: 1,
    schema: jsonFeedSchema,
  },
  badge: {
    form: "badge",
    path: "{votePubkey}",
    named: "votePubkey",
    cache: "events",
    stage: 1,
    schema: badgeSchema,
  },
  /** What `/validators/{votePubkey}` of the site answers. */
  page: {
    form: "page",
    path: "{votePubkey}",
    named: "votePubkey",
    cache: "events",
    stage: 1,
    schema: pageSchema,
  },
  sitemap: {
    form: "sitemap",
    path: "sitemap",
    named: "none",
    cache: "snapshot",
    stage: 2,
    schema: sitemapSchema,
  },
} as const satisfies Record<string, ObjectKindRow>;

export type ObjectKind = keyof typeof OBJECTS;

/** The proxy answers with parts of them: no operation answers with a whole one. */
export const INTERNAL_KINDS = [
  "index",
  "newestChanges",
  "changeSegment",
  "walletShard",
] as const satisfies ObjectKind[];

export function isInternal(kind: ObjectKind): kind is (typeof INTERNAL_KINDS)[number] {
  return (INTERNAL_KINDS as readonly ObjectKind[]).includes(kind);
}

/** The document of a kind, envelope included. */
export type DocumentOf<Kind extends ObjectKind> = z.infer<(typeof OBJECTS)[Kind]["schema"]>;

export type NamesOf<Kind extends ObjectKind> = ObjectNames[(typeof OBJECTS)[Kind]["named"]];

/** Names one object of the public store. */
export type ObjectReference = {
  [Kind in ObjectKind]: { kind: Kind; names: NamesOf<Kind> };
}[ObjectKind];

/**
 * The key of an object in the public store, for example
 * `api/v1/mainnet/validators/VOTE/events.json`.
 */
export function toObjectKey<Kind extends ObjectKind>(
  network: Network,
  kind: Kind,
  names: NamesOf<Kind>,
): string {
  const { form, path } = OBJECTS[kind];
  const { folder, extension } = FORMS[form];
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    toText(name, (names as Record<string, string | number>)[name]),
  );
  return `${folder}/${network}/${named}.${extension}`;
}

function toText(name: string, value: string | number | undefined): string {
  return name === "segment" ? String(value).padStart(6, "0") : String(value);
}

/**
 * What lies under a key of the public store; null: none of
 * a network's objects. The inverse of {@link toObjectKey}.
 */
export function fromObjectKey(network: Network, key: string): ObjectReference | null {
  for (const [kind, { form, path }] of Object.entries(OBJECTS)) {
    const { folder, extension } = FORMS[form];
    const start = `${folder}/${network}/`;
    if (!key.startsWith(start)) continue;
    const pattern = path
      .replace("{votePubkey}", "(?<votePubkey>[1-9A-HJ-NP-Za-km-z]{32,44})")
      .replace("{epoch}", "(?<epoch>0|[1-9]\\d{0,15})")
      .replace("{segment}", "(?<segment>\\d{6,15})")
      .replace("{feed}", `(?<feed>${FEEDS.join("|")})`)
      .replace("{shard}", "(?<shard>\\d{1,4}-\\d{1,4})");
    const match = new RegExp(`^${pattern}\\.${extension}$`).exec(key.slice(start.length));
    if (match === null) continue;
    const { epoch, segment, ...texts } = { ...match.groups };
    const names = {
      ...texts,
      ...(epoch && { epoch: Number(epoch) }),
      ...(segment && { segment: Number(segment) }),
    };
    const reference = { kind, names } as ObjectReference;
    const isWhole = toObjectKey(network, reference.kind, reference.names) === key;
    return isWhole &&
      (reference.kind !== "walletShard" || readShardCount(reference.names.shard) !== null)
      ? reference
      : null;
  }
  return null;
}

/** Everything published of one network lies below one of these prefixes. */
export function toNetworkPrefixes(network: Network): string[] {
  return FOLDERS.map((folder) => `${folder}/${network}/`);
}

/** Of documents and of errors. */
export const CONTENT_TYPE = FORMS.document.contentType;
