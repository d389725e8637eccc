/** Creates the same 50 objects as its siblings and reports which were its own. */
import { once } from "node:events";
import { openFileStore } from "../../generator/store/files.ts";

const store = openFileStore(String(process.argv[2]));
const body = new TextEncoder().encode(String(process.pid));

process.send?.("ready");
await once(process, "message");
const created: number[] = [];
for (let index = 0; index < 50; index += 1) {
  const made = await store.put(`race/${index}.json`, body, {
    expect: "absent",
    contentType: "application/json",
  });
  if (made !== null) created.push(index);
}
process.send?.(created, () => process.disconnect());
