import { randomUUID } from "node:crypto";
import { rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../contract/error-message.ts";
import { toDirectory, type Settings } from "../../settings/settings.ts";
import { openStore } from "../../store/open.ts";
import type { ObjectStore } from "../../store/store.ts";
import { findStoreAdvice } from "./advice.ts";
import { toFinding, type Finding } from "./findings.ts";

/** Tries both stores with an object under a key of its own at the top, where no reader looks. Leaves nothing behind. */
export async function examineStores(
  settings: Pick<Settings, "publicStore" | "stateStore">,
  open: (url: string) => ObjectStore = openStore,
): Promise<Finding[]> {
  const missing = [...(await findMissing(settings.publicStore)), ...(await findMissing(settings.stateStore))];
  try {
    const [publicStore, stateStore] = [open(settings.publicStore), open(settings.stateStore)];
    const findings = await Promise.all([
      examineStore("public store", publicStore, { isConditional: false }),
      examineStore("state store", stateStore, { isConditional: true }),
    ]);
    const works = findings.every(({ level }) => level === "ok");
    return [...findings, ...(works ? [await judgeDistance(publicStore, stateStore)] : [])];
  } finally {
    for (const directory of missing) await rmdir(directory).catch(() => undefined);
  }
}

const FIRST = Buffer.from("rugwatch doctor\n");
const SECOND = Buffer.from("rugwatch doctor, a second time\n");

/** Does to one object all that Rugwatch does. */
async function examineStore(
  subject: string,
  store: ObjectStore,
  { isConditional }: { isConditional: boolean },
): Promise<Finding> {
  const key = toProbeKey();
  const put = (body: Buffer, expect: "any" | "absent") => store.put(key, body, { expect, contentType: "text/plain" });
  const holds = async (body: Buffer) => body.equals((await store.get(key))?.body ?? Buffer.of());
  let operation = "write";
  const pass = (isRight: boolean, next: string) => {
    if (!isRight) throw new Error("it does not do what it says");
    operation = next;
  };
  try {
    const first = await put(FIRST, "absent");
    pass(first !== null, "read");
    pass(await holds(FIRST), "create-if-absent");
    pass(!isConditional || ((await put(SECOND, "absent")) === null && (await holds(FIRST))), "overwrite");
    const second = await put(SECOND, "any");
    pass(second?.etag !== first?.etag && (await holds(SECOND)), "list");
    const listed = await Array.fromAsync(store.list(key));
    pass(listed.length === 1 && listed[0]?.key === key && listed[0].etag === second?.etag, "delete");
    await store.delete(key);
    pass((await store.get(key)) === null, "");
    return toFinding("ok", subject, `${store.name}: written, read, listed and deleted`);
  } catch (error) {
    // The first failure is the one to tell.
    await store.delete(key).catch(() => undefined);
    const advice =
      operation === "create-if-absent"
        ? "Two generators at once would undo each other. Use a store with conditional writes (If-None-Match)."
        : "Fix what this names, or choose another store.";
    const found = `${store.name}: ${operation} fails: ${messageOf(error)}`;
    return toFinding("problem", subject, found, findStoreAdvice(error) ?? advice);
  }
}

/** Two looks at once must not meet. */
function toProbeKey(): string {
  return `doctor-${randomUUID()}`;
}

/** Settings refuse stores within each other; a link can still make one of both. */
async function judgeDistance(publicStore: ObjectStore, stateStore: ObjectStore): Promise<Finding> {
  const key = toProbeKey();
  await stateStore.put(key, FIRST, { expect: "absent", contentType: "text/plain" });
  const isOne = (await publicStore.head(key).finally(() => stateStore.delete(key))) !== null;
  const found = isOne ? "the state shows in the public store" : "the state is not in the public store";
  const advice = "Give RUGWATCH_STATE a place of its own: whoever serves the public store must not serve the state.";
  return toFinding(isOne ? "problem" : "ok", "stores apart", found, advice);
}

/** The directories that a store will make, innermost first. */
async function findMissing(url: string): Promise<string[]> {
  const missing: string[] = [];
  const isMissing = async (path: string) => (await stat(path).catch(() => null)) === null;
  for (let path = toDirectory(url); path !== null && (await isMissing(path)); path = dirname(path)) missing.push(path);
  return missing;
}
