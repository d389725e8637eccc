import { join } from "node:path";
import { createRenderer } from "../../../generator/documents/render.ts";
import { writeGeoDatabases } from "../../cluster/chain/geo-databases.ts";
import type { SnapshotIndex } from "../../../generator/contract/snapshot-index.ts";
import { toObjectKey } from "../../../generator/contract/object-keys.ts";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";
import { foldEntry } from "../../../generator/service/projection/fold-entry.ts";
import { createLedger, type Ledger } from "../../../generator/ledger/ledger.ts";
import { openFileStore } from "../../../generator/store/files.ts";
import { addLongPast } from "../long-past.ts";
import { DAY_MILLISECONDS, PLANNED_CLUSTER, PLANNED_EPOCHS } from "../planning-size.ts";
import { toTwoDays } from "../two-days.ts";

const { network } = PLANNED_CLUSTER;
const ONE_MINUTE_IN_DAYS = 1 / 1440;

/** A store with the index alone, of which every list and search is made. */
export async function makePublicStore(
  directory: string,
): Promise<{ directory: string; index: SnapshotIndex }> {
  const body = createRenderer(await makeLedger(directory)).render({ kind: "index", names: {} });
  if (body === null) throw new Error("there is no index");
  const publicDirectory = join(directory, "public");
  const key = toObjectKey(network, "index", {});
  await openFileStore(publicDirectory).put(key, body, { expect: "any", contentType: CONTENT_TYPE });
  return {
    directory: publicDirectory,
    index: JSON.parse(new TextDecoder().decode(body)) as SnapshotIndex,
  };
}

async function makeLedger(directory: string): Promise<Ledger> {
  const geo = await writeGeoDatabases(join(directory, "geo"));
  const until = Date.now();
  const entries = toTwoDays({
    startsAt: until - DAY_MILLISECONDS,
    until,
    geo,
    days: ONE_MINUTE_IN_DAYS,
  });
  let ledger = createLedger(network);
  for await (const entry of entries) {
    const folded = foldEntry(ledger, { name: "0000000001", hash: "", entry });
    if (!folded.outcome.accepted)
      throw new Error(`the snapshot was refused: ${folded.outcome.reason}`);
    ({ ledger } = folded);
  }
  addLongPast(ledger, PLANNED_EPOCHS - 1);
  return ledger;
}
