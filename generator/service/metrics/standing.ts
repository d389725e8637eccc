import { Gauge, type Registry } from "prom-client";
import type { Network } from "../../contract/networks.ts";
import { STATUS_SOURCES } from "../../contract/status.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { pendingChanges, type PendingChange } from "../../ledger/rates/pending.ts";
import { summariseSweep } from "../../views/sweep.ts";
import type { Projection } from "../projection.ts";

/** A value and its labels beside the network. */
type Sample = [value: number, labels?: Readonly<Record<string, string>>];

export type Standing = Pick<Projection, "ledger" | "quarantined" | "counts">;

/**
 * Reads where each network stands when somebody asks; skips one without a ledger.
 * @param now milliseconds since 1970
 */
export function showStandings(
  registry: Registry,
  { standings, now }: { standings: ReadonlyMap<Network, Standing>; now: () => number },
): void {
  function show(
    name: string,
    help: string,
    read: (ledger: Ledger, standing: Standing) => Sample[],
    labels: string[] = [],
  ) {
    new Gauge({
      name,
      help,
      labelNames: ["network", ...labels],
      registers: [registry],
      collect() {
        this.reset();
        for (const [network, standing] of standings) {
          const ledger = standing.ledger();
          if (ledger.position === null) continue;
          for (const [value, own = {}] of read(ledger, standing)) this.set({ network, ...own }, value);
        }
      },
    });
  }

  show("rugwatch_epoch", "Epoch of the newest accepted observation.", ({ acceptance: { newest } }) =>
    newest === null ? [] : [[newest.epoch]],
  );
  show("rugwatch_slot", "Slot of the newest accepted observation.", ({ acceptance: { newest } }) =>
    newest === null ? [] : [[newest.slot]],
  );
  show("rugwatch_listed_validators", "Validators of the newest accepted snapshot.", ({ validators }) => [
    [validators.filter(({ listed }) => listed).length],
  ]);
  show("rugwatch_events", "Events that stand, all of the past too.", ({ events }) => [[events.length]]);
  show(
    "rugwatch_changes",
    "Changes that are no event yet, by state: pending (not confirmed yet), disputed (no value has a majority, or no transaction made it).",
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
  show(
    "rugwatch_pending_age_seconds",
    "Since the oldest change that is pending, and not disputed, was first seen; 0: none is.",
    (ledger) => toAge(pendingChanges(ledger).filter(({ disputed }) => !disputed)),
  );
  show(
    "rugwatch_disputed_age_seconds",
    "Since the oldest change that is disputed was first seen; 0: none is.",
    (ledger) => toAge(pendingChanges(ledger).filter(({ disputed }) => disputed)),
  );
  show("rugwatch_journal_entries", "Entries of the journal that the ledger is made of.", (_, { counts }) => [
    [counts().done],
  ]);
  show(
    "rugwatch_quarantined_objects",
    "Unusable objects of the journal and its checkpoints, without those that a ruling leaves out; publishing waits for an entry or a pack.",
    (_, { quarantined }) => [[quarantined().length]],
  );
  show(
    "rugwatch_source_state",
    "1 for the state that each source of a snapshot is in: ok, degraded, failed, off.",
    ({ sources }) => STATUS_SOURCES.map((source) => [1, { source, state: sources[source].state }]),
    ["source", "state"],
  );
  show(
    "rugwatch_searched_validators",
    "Listed validators by how their transactions are searched: known (a withdraw authority is), covered (every change up to the covered slot is known), refused (no majority keeps them).",
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
  show("rugwatch_searched_slot", "The slot up to which all covered validators are.", (ledger) => {
    const { upToSlot } = summariseSweep(ledger);
    return upToSlot === null ? [] : [[upToSlot]];
  });
}
