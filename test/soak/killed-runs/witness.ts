import { openJournal } from "../../../generator/journal/journal.ts";
import type { CheckEntry, ConfirmEntry, SnapshotEntry } from "../../../generator/entries/entry.ts";
import { fold } from "../../../generator/ledger/fold.ts";
import { createLedger, type Ledger } from "../../../generator/ledger/ledger.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";

/** What a journal shows that its generators saw. */
export interface Witness {
  names: Set<string>;
  /** Accepted, in order of time. */
  observations: (CheckEntry | SnapshotEntry)[];
  /** The same, and the second readings between them. */
  readings: (CheckEntry | SnapshotEntry | ConfirmEntry)[];
  /** Entries that could not be read. */
  unreadable: number;
  /** All of it folded, from the beginning. */
  ledger: Ledger;
}

/** Reads a whole journal and folds it, to learn what was accepted. */
export async function readWitness(store: ObjectStore): Promise<Witness> {
  const journal = openJournal({ store, network: "mainnet", series: 1 });
  const { names } = await journal.names();
  const ledger = createLedger("mainnet", 1);
  const witness: Witness = { names: new Set(names), observations: [], readings: [], unreadable: 0, ledger };
  for await (const read of journal.read(names)) {
    if ("unreadable" in read) {
      witness.unreadable += 1;
      continue;
    }
    const folded = fold(witness.ledger, read);
    witness.ledger = folded.ledger;
    if (!folded.outcome.accepted) continue;
    const { entry } = read;
    if (entry.kind === "confirm") witness.readings.push(entry);
    if (entry.kind !== "check" && entry.kind !== "snapshot") continue;
    witness.readings.push(entry);
    witness.observations.push(entry);
  }
  return witness;
}
