import type { Network } from "../contract/networks.ts";
import type { Journal } from "../journal/journal.ts";
import type { Observer, ObserverOptions } from "../observe/observation.ts";
import type { StoreOperation } from "../store/counting.ts";
import type { OutboxOptions } from "./alerts/outbox.ts";
import type { Projection } from "./projection.ts";

/** Opens the observers of one network's work, for metrics. They change no answer. */
export type Watch = (network: Network) => NetworkWatch;

/**
 * What metrics receive of the work for one network. Each `watch` function wraps an object
 * without changing its answers.
 */
export interface NetworkWatch extends Required<Pick<ObserverOptions, "onCall" | "onWitnesses">> {
  onStoreOperation: (store: "public" | "state", made: StoreOperation) => void;
  watchObserver(observer: Observer): Observer;
  watchJournal(journal: Journal): Journal;
  watchProjection(projection: Projection): Projection;
  /** All that was folded is published; not called where the status alone was put. */
  onPublished: () => void;
  timePublishing: (work: () => Promise<void>) => Promise<void>;
  onAlert: NonNullable<OutboxOptions["onAttempt"]>;
  onAlertQueue: NonNullable<OutboxOptions["onQueue"]>;
}
