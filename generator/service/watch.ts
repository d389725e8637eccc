import type { Network } from "../contract/networks.ts";
import type { Journal } from "../journal/journal.ts";
import type { Observer, ObserverOptions } from "../observe/observation.ts";
import type { ObjectStore } from "../store/store.ts";
import type { Projection } from "./projection.ts";

/**
 * Makes what looks on while a network is worked on, from the opening of its stores on: for metrics. It stands between, and
 * changes nothing of what is asked and answered.
 */
export type Watch = (network: Network) => NetworkWatch;

export interface NetworkWatch extends Required<Pick<ObserverOptions, "onCall" | "onWitnesses">> {
  watchStore(store: ObjectStore, role: "public" | "state"): ObjectStore;
  watchObserver(observer: Observer): Observer;
  watchJournal(journal: Journal): Journal;
  watchProjection(projection: Projection): Projection;
  timePublishing: (work: () => Promise<void>) => Promise<void>;
}
