import { z } from "zod";
import type { CacheClass } from "./cache.ts";
import { envelopeOf } from "./envelope.ts";
import { eventSchema, severitySchema } from "./event.ts";
import { commissionPointSchema, stakePointSchema, uptimeDaySchema } from "./history.ts";
import { locationSchema } from "./location.ts";
import type { Network } from "./networks.ts";
import { snapshotIndexSchema } from "./snapshot-index.ts";
import { concentrationSchema, rugsGlobalSchema, rugsPerEpochSchema } from "./stats.ts";
import { statusSchema } from "./status.ts";
import { profileSchema, validatorSchema } from "./validator.ts";
import { countSchema, percentSchema, pubkeySchema, stakeSchema, timeSchema } from "./values.ts";

/** What names one object of a kind beside the network. */
export interface ObjectNames {
  none: Record<string, never>;
  votePubkey: { votePubkey: string };
  epoch: { epoch: number };
}

interface ObjectKindRow {
  /** Path below `api/v1/NETWORK/`, with the names in braces; `.json` is added. */
  path: string;
  named: keyof ObjectNames;
  cache: CacheClass;
  schema: z.ZodType;
}

const total = { total: countSchema };
const ofValidator = { votePubkey: pubkeySchema };

/**
 * Every kind of object in the public store: where it lies, how long it may be cached, what it holds. The document of
 * `/api/v1/PATH?network=N`, all other parameters at their defaults, is the object `api/v1/N/PATH.json`.
 */
export const OBJECTS = {
  validators: {
    path: "validators",
    named: "none",
    cache: "snapshot",
    schema: envelopeOf(z.array(validatorSchema), {
      page: z.int().min(1),
      limit: z.int().min(1).max(100),
      ...total,
      totalPages: countSchema,
      networkStake: stakeSchema,
      snapshotAt: timeSchema.nullable(),
    }),
  },
  validator: {
    path: "validators/{votePubkey}",
    named: "votePubkey",
    cache: "snapshot",
    schema: envelopeOf(profileSchema, {}),
  },
  validatorEvents: {
    path: "validators/{votePubkey}/events",
    named: "votePubkey",
    cache: "events",
    schema: envelopeOf(z.array(eventSchema), { ...total, ...ofValidator }),
  },
  commissionHistory: {
    path: "validators/{votePubkey}/commission-history",
    named: "votePubkey",
    cache: "snapshot",
    schema: envelopeOf(z.array(commissionPointSchema), { ...total, ...ofValidator }),
  },
  stakeHistory: {
    path: "validators/{votePubkey}/stake-history",
    named: "votePubkey",
    cache: "snapshot",
    schema: envelopeOf(z.array(stakePointSchema), { ...total, ...ofValidator }),
  },
  uptime: {
    path: "validators/{votePubkey}/uptime",
    named: "votePubkey",
    cache: "snapshot",
    schema: envelopeOf(z.array(uptimeDaySchema), {
      ...ofValidator,
      daysTracked: countSchema,
      overallUptimePercent: percentSchema,
      uptimeChecks: countSchema,
      delinquentChecks: countSchema,
    }),
  },
  location: {
    path: "validators/{votePubkey}/location",
    named: "votePubkey",
    cache: "snapshot",
    schema: envelopeOf(locationSchema, ofValidator),
  },
  events: {
    path: "events",
    named: "none",
    cache: "events",
    schema: envelopeOf(z.array(eventSchema), {
      ...total,
      latestEpoch: countSchema.nullable(),
      epochs: z.int().min(1).max(50),
      severity: severitySchema.nullable(),
    }),
  },
  epochEvents: {
    path: "epochs/{epoch}/events",
    named: "epoch",
    cache: "events",
    schema: envelopeOf(z.array(eventSchema), { epoch: countSchema, ...total, uniqueValidators: countSchema }),
  },
  rugsPerEpoch: {
    path: "stats/rugs-per-epoch",
    named: "none",
    cache: "events",
    schema: envelopeOf(z.array(rugsPerEpochSchema), {
      latestEpoch: countSchema.nullable(),
      epochs: z.int().min(1).max(100),
      offset: countSchema,
      ...total,
      global: rugsGlobalSchema,
    }),
  },
  stakeConcentration: {
    path: "stats/stake-concentration",
    named: "none",
    cache: "snapshot",
    schema: envelopeOf(concentrationSchema, {}),
  },
  status: { path: "status", named: "none", cache: "status", schema: envelopeOf(statusSchema, {}) },
  index: { path: "index", named: "none", cache: "events", schema: snapshotIndexSchema },
} as const satisfies Record<string, ObjectKindRow>;

export type ObjectKind = keyof typeof OBJECTS;

/** The document of a kind, envelope included. */
export type DocumentOf<Kind extends ObjectKind> = z.infer<(typeof OBJECTS)[Kind]["schema"]>;

export type NamesOf<Kind extends ObjectKind> = ObjectNames[(typeof OBJECTS)[Kind]["named"]];

/** Names one object of the public store. */
export type ObjectReference = { [Kind in ObjectKind]: { kind: Kind; names: NamesOf<Kind> } }[ObjectKind];

/** The key of an object in the public store, for example `api/v1/mainnet/validators/VOTE/events.json`. */
export function toObjectKey<Kind extends ObjectKind>(network: Network, kind: Kind, names: NamesOf<Kind>): string {
  const path = OBJECTS[kind].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String((names as Record<string, string | number>)[name]),
  );
  return `${toNetworkPrefix(network)}${path}.json`;
}

/** What lies under a key of the public store; null: none of a network's objects. The inverse of {@link toObjectKey}. */
export function fromObjectKey(network: Network, key: string): ObjectReference | null {
  const path = key.slice(toNetworkPrefix(network).length);
  for (const [kind, row] of Object.entries(OBJECTS)) {
    const pattern = row.path
      .replace("{votePubkey}", "(?<votePubkey>[1-9A-HJ-NP-Za-km-z]{32,44})")
      .replace("{epoch}", "(?<epoch>0|[1-9]\\d{0,15})");
    const match = new RegExp(`^${pattern}\\.json$`).exec(path);
    if (match === null) continue;
    const { votePubkey, epoch } = match.groups ?? {};
    const names = { ...(votePubkey && { votePubkey }), ...(epoch && { epoch: Number(epoch) }) };
    const reference = { kind, names } as ObjectReference;
    return toObjectKey(network, reference.kind, reference.names) === key ? reference : null;
  }
  return null;
}

/** Everything published of one network lies below this prefix. */
export function toNetworkPrefix(network: Network): string {
  return `api/v1/${network}/`;
}

/** Every object is JSON in UTF-8, uncompressed: the CDN negotiates the encoding. */
export const CONTENT_TYPE = "application/json; charset=utf-8";
