import { join } from "node:path";
import { createRenderer } from "../../../generator/documents/render.ts";
import { writeGeoDatabases } from "../../../infra/demo/cluster/chain/geo-databases.ts";
import type { SnapshotIndex } from "../../../generator/contract/snapshot-index.ts";
import { CONTENT_TYPE, toObjectKey, type ObjectReference } from "../../../generator/contract/objects.ts";
import { fold } from "../../../generator/ledger/fold.ts";
import { createLedger, type Ledger } from "../../../generator/ledger/ledger.ts";
import { openFileStore } from "../../../generator/store/files.ts";
import { addLongPast } from "../long-past.ts";
import { DAY_MILLISECONDS, PLANNED_CLUSTER, PLANNED_EPOCHS } from "../planning-size.ts";
import { toTwoDays } from "../two-days.ts";

const { network } = PLANNED_CLUSTER;
const ONE_MINUTE_IN_DAYS = 1 / 1440;

export interface PublicStore {
  directory: string;
  index: SnapshotIndex;
  /** The same bytes under another ETag, as a new snapshot has one. */
  replaceIndex(): Promise<unknown>;
}

export async function makePublicStore(directory: string): Promise<PublicStore> {
  const { render } = createRenderer(await makeLedger(directory));
  const store = openFileStore(join(directory, "public"));

  async function publish({ kind, names }: ObjectReference): Promise<Uint8Array> {
    const body = render({ kind, names } as ObjectReference);
    if (body === null) throw new Error(`nothing to render for ${kind} ${JSON.stringify(names)}`);
    await store.put(toObjectKey(network, kind, names), body, { expect: "any", contentType: CONTENT_TYPE });
    return body;
  }

  const indexReference: ObjectReference = { kind: "index", names: {} };
  const index = JSON.parse(new TextDecoder().decode(await publish(indexReference))) as SnapshotIndex;
  for (const { votePubkey } of index.validators) await publish({ kind: "validator", names: { votePubkey } });
  return { directory: join(directory, "public"), index, replaceIndex: () => publish(indexReference) };
}

async function makeLedger(directory: string): Promise<Ledger> {
  const geo = await writeGeoDatabases(join(directory, "geo"));
  const until = Date.now();
  const entries = toTwoDays({ startsAt: until - DAY_MILLISECONDS, until, geo, days: ONE_MINUTE_IN_DAYS });
  let ledger = createLedger(network);
  for await (const entry of entries) {
    const folded = fold(ledger, { name: "bench", entry });
    if (!folded.outcome.accepted) throw new Error(`the snapshot was refused: ${folded.outcome.reason}`);
    ({ ledger } = folded);
  }
  addLongPast(ledger, PLANNED_EPOCHS - 1);
  return ledger;
}
