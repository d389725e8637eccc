import { openJournal } from "../../../generator/journal/journal.ts";
import type { ConfirmEntry, NamedEntry } from "../../../generator/ledger/entry.ts";
import { fold } from "../../../generator/ledger/fold.ts";
import { createLedger } from "../../../generator/ledger/ledger.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";

/** An accepted observation. */
export interface Sighting {
  /** Milliseconds since 1970. */
  at: number;
  /** Whether it told of MEV commissions. */
  showsMev: boolean;
}

/** What a journal shows that its generators saw. */
export interface Witness {
  names: Set<string>;
  /** In order of time. */
  sightings: Sighting[];
  confirms: { at: number; votes: Set<string>; tips: Set<string> }[];
  /** Entries that could not be read. */
  unreadable: number;
}

/** Reads a whole journal and folds it, to learn what was accepted. */
export async function readWitness(store: ObjectStore): Promise<Witness> {
  const journal = openJournal({ store, network: "mainnet", series: 1 });
  const { names } = await journal.names();
  const witness: Witness = { names: new Set(names), sightings: [], confirms: [], unreadable: 0 };
  let ledger = createLedger("mainnet", 1);
  for await (const read of journal.read(names)) {
    if ("unreadable" in read) {
      witness.unreadable += 1;
      continue;
    }
    const folded = fold(ledger, read);
    ledger = folded.ledger;
    if (folded.outcome.accepted) note(witness, read);
  }
  return witness;
}

function note(witness: Witness, { entry }: NamedEntry): void {
  const at = Date.parse(entry.time);
  if (entry.kind === "confirm") witness.confirms.push({ at, ...toConfirmed(entry) });
  if (entry.kind === "check") witness.sightings.push({ at, showsMev: false });
  if (entry.kind === "snapshot") {
    witness.sightings.push({ at, showsMev: entry.mev.state === "ok" || entry.tips.state === "ok" });
  }
}

function toConfirmed({ accounts, tips }: ConfirmEntry) {
  return { votes: new Set(accounts.map(({ vote }) => vote)), tips: new Set(tips.map(({ vote }) => vote)) };
}
