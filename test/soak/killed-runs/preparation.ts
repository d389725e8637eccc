import type { PanelConfirmEntry } from "../../../generator/entries/entry.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import { shiftDay, toDay } from "../../../generator/journal/names.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import type { Kind } from "./kills.ts";
import type { Side } from "./site.ts";

const PLACE = { network: "mainnet", series: 1 } as const;
/** Kinds of requests that only come when there is something to publish and no lease is in the way. */
const PUBLISHING: readonly Kind[] = ["document", "index", "manifest", "lease put", "lease delete"];
const DOCUMENTS_LOST = 6;
/** Younger days are in the window of entries that each process lists. */
const YOUNGEST_DAY = -10;

/** Journals days long past, for as many packs: in each a second reading of nothing, which no document shows. */
export async function layDownPast(store: ObjectStore, { days, now }: { days: number; now: number }): Promise<void> {
  const journal = openJournal({ store, ...PLACE });
  for (let ago = 0; ago < days; ago += 1) {
    const entry: PanelConfirmEntry = {
      kind: "confirm",
      format: 1,
      network: PLACE.network,
      time: `${shiftDay(toDay(now), YOUNGEST_DAY - ago)}T12:00:00.000Z`,
      votes: [],
      tips: [],
      answers: [{ state: "ok", endpoint: "http://127.0.0.1#0", slot: 1, rows: [], shares: [] }],
    };
    await journal.append(entry);
  }
}

/**
 * Takes away what a process makes anew by requests of a kind, and the lease of one that died, which would be over by itself in
 * two minutes. Gives what a process is to be asked, if not to run.
 */
export async function prepareFor(kind: Kind, { publicStore, stateStore }: Side): Promise<string[] | null> {
  if (PUBLISHING.includes(kind)) {
    await deleteSome(stateStore, "lease/");
    await deleteSome(publicStore, "api/v1/mainnet/index.json");
    await deleteSome(publicStore, "api/v1/mainnet/validators/", DOCUMENTS_LOST);
  }
  if (kind === "checkpoint") await deleteSome(stateStore, "checkpoints/");
  if (kind !== "mark") return null;
  // The first is accepted for certain: there is nothing that it could be compared with.
  const { names } = await openJournal({ store: stateStore, ...PLACE }).names();
  const first = names.find((name) => name.includes("-snapshot-"));
  // A ruling that says what is so already, and is one all the same by its reason: only status.json shows it.
  const reason = `seen again at ${new Date().toISOString()}`;
  return first === undefined ? null : ["rule", "--observation", first, "--accept", "--reason", reason];
}

async function deleteSome(store: ObjectStore, prefix: string, most = Infinity): Promise<void> {
  const heads = await Array.fromAsync(store.list(prefix));
  for (const { key } of heads.slice(0, most)) await store.delete(key);
}
