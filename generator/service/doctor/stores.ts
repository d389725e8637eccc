import { randomUUID } from "node:crypto";
import { rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../contract/error-message.ts";
import { toDirectory } from "../../settings/settings.ts";
import { findStoreAdvice } from "../../store/advice.ts";
import type { ObjectStore } from "../../store/store.ts";
import { toFinding, within, type CheckContext, type Finding } from "./check.ts";

/**
 * Tests both stores with an object under a unique key at the top, where no reader looks, and
 * deletes it.
 */
export async function checkStores(context: CheckContext): Promise<Finding[]> {
  const { publicStore, stateStore } = context;
  const missing = [...(await findMissing(publicStore)), ...(await findMissing(stateStore))];
  try {
    return await Promise.all([
      checkStore("public store", publicStore, context),
      checkStore("state store", stateStore, context),
    ]);
  } finally {
    for (const directory of missing) await rmdir(directory).catch(() => undefined);
  }
}

const FIRST = Buffer.from("rugwatch doctor\n");
const SECOND = Buffer.from("rugwatch doctor, a second time\n");

const ADVICE: Record<string, string> = {
  "create-if-absent":
    "Two generators would undo each other. Use a store with conditional writes (If-None-Match).",
  separation:
    "Give RUGWATCH_STATE a place of its own: whoever serves the public store must not serve " +
    "the state.",
};

/** Does to one object all that Rugwatch does. */
async function checkStore(
  subject: string,
  store: ObjectStore,
  { publicStore, clock, limits }: CheckContext,
): Promise<Finding> {
  // Two diagnoses at once must not use the same key.
  const key = `doctor-${randomUUID()}`;
  const put = async (body: Buffer, expect: "any" | "absent") =>
    (await store.put(key, body, { expect, contentType: "text/plain" }))?.etag ?? null;
  const holds = async (body: Buffer) => body.equals((await store.get(key))?.body ?? Buffer.of());
  const limited = <T>(work: () => Promise<T>) => within(limits.answerMilliseconds, clock, work);
  let operation = "";
  const pass = async (name: string, works: () => Promise<boolean>) => {
    operation = name;
    if (!(await limited(works))) throw new Error("it does not do what it says");
  };
  const isState = store !== publicStore;
  let etag: string | null = null;
  try {
    await pass("write", async () => (etag = await put(FIRST, "absent")) !== null);
    await pass("read", () => holds(FIRST));
    if (isState) {
      await pass(
        "create-if-absent",
        async () => (await put(SECOND, "absent")) === null && holds(FIRST),
      );
      // Settings refuse stores inside each other, but a symbolic link can still join them.
      await pass(
        "separation",
        async () => (await publicStore.head(key).catch(() => null)) === null,
      );
    }
    await pass(
      "overwrite",
      async () => etag !== (etag = await put(SECOND, "any")) && holds(SECOND),
    );
    await pass(
      "list",
      async () => (await Array.fromAsync(store.list(key), (head) => head.etag)).join() === etag,
    );
    await pass("delete", () => store.delete(key).then(async () => (await store.get(key)) === null));
    const found = `${store.name}: written, read, listed and deleted`;
    return toFinding("ok", subject, isState ? `${found}; not seen in the public store` : found);
  } catch (error) {
    // The first failure is the one to report.
    await limited(() => store.delete(key)).catch(() => undefined);
    const found = `${store.name}: ${operation} fails: ${messageOf(error)}`;
    const advice =
      findStoreAdvice(error) ??
      ADVICE[operation] ??
      "Fix what this names, or choose another store.";
    return toFinding("problem", subject, found, advice);
  }
}

/** The directories that a store will make, innermost first. */
async function findMissing({ name }: ObjectStore): Promise<string[]> {
  const missing: string[] = [];
  const isMissing = async (path: string) => (await stat(path).catch(() => null)) === null;
  for (let path = toDirectory(name); path !== null && (await isMissing(path)); path = dirname(path))
    missing.push(path);
  return missing;
}
