import type { PanelConfirmEntry } from "../../../generator/entries/entry.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import { shiftDay, toDay } from "../../../generator/journal/names.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import type { Kind } from "./kinds.ts";

/*
 * What makes a process come to a request of a kind soon: a day that is closed, so that it packs it, or the loss of something
 * that it makes anew: documents, checkpoints. And the lease of one that died, which would be over by itself in two minutes.
 */

interface Stores {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
}

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

/** Gives what a process is to be asked so that it comes to a request of a kind. */
export async function prepareFor(kind: Kind, { publicStore, stateStore }: Stores): Promise<string[] | null> {
  if (PUBLISHING.includes(kind)) {
    await deleteSome(stateStore, "lease/");
    await deleteSome(publicStore, "api/v1/mainnet/index.json");
    await deleteSome(publicStore, "api/v1/mainnet/validators/", DOCUMENTS_LOST);
  }
  if (kind === "checkpoint") await deleteSome(stateStore, "checkpoints/");
  return kind === "mark" ? toRuling(await findFirstObservation(stateStore)) : null;
}

async function deleteSome(store: ObjectStore, prefix: string, most = Infinity): Promise<void> {
  const heads = await Array.fromAsync(store.list(prefix));
  for (const { key } of heads.slice(0, most)) await store.delete(key);
}

/** A ruling that says what is so already, and is one all the same by its reason: only status.json shows it. */
function toRuling(observation: string | null): string[] | null {
  if (observation === null) return null;
  return ["rule", "--observation", observation, "--accept", "--reason", `seen again at ${new Date().toISOString()}`];
}

/** The first is accepted for certain: there is nothing that it could be compared with. */
async function findFirstObservation(store: ObjectStore): Promise<string | null> {
  const { names } = await openJournal({ store, ...PLACE }).names();
  return names.find((name) => name.includes("-snapshot-")) ?? null;
}
