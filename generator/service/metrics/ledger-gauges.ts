import { Gauge, type Registry } from "prom-client";
import type { Network } from "../../contract/networks.ts";
import { STATUS_SOURCES } from "../../contract/status.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { pendingChanges, type PendingChange } from "../../ledger/pending-changes.ts";
import { summariseSweep } from "../../views/sweep.ts";
import type { Projection } from "../projection/projection.ts";

/** A value and its labels beside the network. */
type Sample = [value: number, labels?: Readonly<Record<string, string>>];

/** What the gauges read of a projection. */
export type WatchedProjection = Pick<Projection, "ledger" | "quarantined" | "counts">;

/**
 * Creates gauges that read the ledger of each network when
 * Prometheus asks; they skip a network without a ledger.
 * @param now milliseconds since 1970
 */
export function createLedgerGauges(
  registry: Registry,
  { projections, now }: { projections: ReadonlyMap<Network, WatchedProjection>; now: () => number },
): void {
  function createGauge(
    name: string,
    help: string,
    read: (ledger: Ledger, projection: WatchedProjection) => Sample[],
    labels: string[] = [],
  ) {
    new Gauge({
      name,
      help,
      labelNames: ["network", ...labels],
      registers: [registry],
      collect() {
        this.reset();
        for (const [network, projection] of projections) {
          const ledger = projection.ledger();
          if (ledger.position === null) continue;
          for (const [value, own = {}] of read(ledger, projection))
            this.set({ network, ...own }, value);
        }
      },
    });
  }

  createGauge(
    "rugwatch_epoch",
    "Epoch of the newest accepted observation.",
    ({ acceptance: { newest } }) => (newest === null ? [] : [[newest.epoch]]),
  );
  createGauge(
    "rugwatch_slot",
    "Slot of the newest accepted observation.",
    ({ acceptance: { newest } }) => (newest === null ? [] : [[newest.slot]]),
  );
  createGauge(
    "rugwatch_listed_validators",
    "Validators of the newest accepted snapshot.",
    ({ validators }) => [[validators.filter(({ listed }) => listed).length]],
  );
  createGauge("rugwatch_events", "Events that stand, all of the past too.", ({ events }) => [
    [events.length],
  ]);
  createGauge(
    "rugwatch_changes",
    "Changes that are no event yet, by state: pending (not confirmed yet), disputed (no " +
      "value has a majority, or no transaction made it).",
    (ledger) => {
      const changes = pendingChanges(ledger);
      const disputed = changes.filter((change) => change.disputed).length;
      return [
        [changes.length - disputed, { state: "pending" }],
        [disputed, { state: "disputed" }],
      ];
    },
    ["state"],
  );
  const toAge = (changes: PendingChange[]): Sample[] => [
    [Math.max(0, ...changes.map(({ first }) => (now() - Date.parse(first.time)) / 1000))],
  ];
  createGauge(
    "rugwatch_pending_age_seconds",
    "Since the oldest change that is pending, and not disputed, was first seen; 0: none is.",
    (ledger) => toAge(pendingChanges(ledger).filter(({ disputed }) => !disputed)),
  );
  createGauge(
    "rugwatch_disputed_age_seconds",
    "Since the oldest change that is disputed was first seen; 0: none is.",
    (ledger) => toAge(pendingChanges(ledger).filter(({ disputed }) => disputed)),
  );
  createGauge(
    "rugwatch_journal_entries",
    "Entries of the journal that the ledger is made of.",
    (_, { counts }) => [[counts().done]],
  );
  createGauge(
    "rugwatch_quarantined_objects",
    "Unusable objects of the journal and its checkpoints, without those that a ruling leaves " +
      "out; publishing waits for an entry or a pack.",
    (_, { quarantined }) => [[quarantined().length]],
  );
  createGauge(
    "rugwatch_source_state",
    "1 for the state that each source of a snapshot is in: ok, degraded, failed, off.",
    ({ sources }) => STATUS_SOURCES.map((source) => [1, { source, state: sources[source].state }]),
    ["source", "state"],
  );
  createGauge(
    "rugwatch_searched_validators",
    "Listed validators by how their transactions are searched: known (a withdraw authority " +
      "is), covered (every change up to the covered slot is known), refused (no majority keeps " +
      "them).",
    (ledger) => {
      const { validators, covered, refused } = summariseSweep(ledger);
      return [
        [validators, { state: "known" }],
        [covered, { state: "covered" }],
        [refused, { state: "refused" }],
      ];
    },
    ["state"],
  );
  createGauge(
    "rugwatch_searched_slot",
    "The slot up to which all covered validators are.",
    (ledger) => {
      const { upToSlot } = summariseSweep(ledger);
      return upToSlot === null ? [] : [[upToSlot]];
    },
  );
}
