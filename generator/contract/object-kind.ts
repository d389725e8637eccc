import type { z } from "zod";
import type { CacheClass } from "./cache.ts";
import type { ExportTable } from "./export-tables.ts";
import type { Feed } from "./feed.ts";
import type { Form } from "./forms.ts";
import type { Missing } from "./missing.ts";

/** The names that objects of a kind need beside the network. */
export interface ObjectNames {
  none: Record<string, never>;
  votePubkey: { votePubkey: string };
  epoch: { epoch: number };
  feed: { feed: Feed };
  segment: { segment: number };
  /** `YYYY-MM`, UTC. */
  month: { month: string };
  /** A name that `toWalletShard` returns. */
  shard: { shard: string };
}

/**
 * What objects show. When it differs, the objects of the validators or epochs concerned are
 * rendered again. `incidents`: events that belong to another incident; `epochs`: lists of an
 * epoch's events; `closedEpochs`: exports; `epochList`: slots, times, stake and inflation of epochs;
 * `anything`: any of these, or the time of a snapshot.
 */
export type Subject =
  | "profiles"
  | "events"
  | "costs"
  | "histories"
  | "uptime"
  | "incidents"
  | "epochs"
  | "closedEpochs"
  | "epochList"
  | "changes"
  | "anything";

/** What is said of a kind of object: a row of OBJECTS. */
export interface ObjectKindRow {
  form: Form;
  /** Path below `FOLDER/NETWORK/`, with the names in braces. The form gives folder and ending. */
  path: string;
  named: keyof ObjectNames;
  /** Whether an object exists for each such name that the index knows. */
  ofEachName: boolean;
  cache: CacheClass;
  /**
   * When a publication puts it: a list after the objects it points at, the index after all lists,
   * exports last, because news must not wait for them. null: publications do not put it.
   */
  stage: number | null;
  /** What it shows; empty if publications do not put it. */
  shows: readonly Subject[];
  /** Whether an operation answers with it. */
  hasOperation: boolean;
  /**
   * What is answered while it does not exist. null: no operation answers with the object itself,
   * because the proxy makes its answers from the index or from parts of objects.
   */
  whenMissing: Missing | null;
  schema: z.ZodType;
  /** Only of an export: whose columns it has. */
  table?: ExportTable;
}
