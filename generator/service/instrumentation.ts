import type { Network } from "../contract/networks.ts";
import type { Journal } from "../journal/journal.ts";
import type { Observer, ObserverOptions } from "../observe/observation.ts";
import type { StoreOperation } from "../store/counting.ts";
import type { OutboxOptions } from "./alerts/outbox.ts";
import type { Projection } from "./projection/projection.ts";

/** Opens the observers of one network's work, for metrics. They change no answer. */
export type Instrument = (network: Network) => NetworkInstrumentation;

/**
 * What metrics receive of the work for one network. Each `instrument` function wraps an object
 * without changing its answers.
 */
export interface NetworkInstrumentation extends Required<
  Pick<ObserverOptions, "onCall" | "onWitnesses">
> {
  onStoreOperation: (store: "public" | "state", made: StoreOperation) => void;
  instrumentObserver(observer: Observer): Observer;
  instrumentJournal(journal: Journal): Journal;
  instrumentProjection(projection: Projection): Projection;
  /** All that was folded is published; not called where the status alone was put. */
  onPublished: () => void;
  timePublishing: (work: () => Promise<void>) => Promise<void>;
  onAlert: NonNullable<OutboxOptions["onAttempt"]>;
  onAlertQueue: NonNullable<OutboxOptions["onQueue"]>;
}
