import { randomUUID } from "node:crypto";
import { messageOf } from "../../contract/error-message.ts";
import { mkdir, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { isWithinStore, toDirectory, type Settings } from "../../settings/settings.ts";
import { openStore } from "../../store/open.ts";
import type { ObjectStore } from "../../store/store.ts";
import { hasCode } from "../../store/disk.ts";
import { ok, problem, toSpan, warning, type Finding } from "./findings.ts";
import { findStoreAdvice } from "./store-advice.ts";

interface StoresOptions {
  settings: Pick<Settings, "publicStore" | "stateStore">;
  timer: () => number;
  open?: (url: string) => ObjectStore;
  /** Shows the operation under way of each store, by subject. */
  waitingFor?: Map<string, string>;
}

/** Tries both stores with an object under a key of its own at the top, where no reader looks. */
export async function examineStores({
  settings,
  timer,
  open = openStore,
  waitingFor = new Map(),
}: StoresOptions): Promise<Finding[]> {
  const made = [await makeDirectory(settings.publicStore), await makeDirectory(settings.stateStore)];
  try {
    const [publicStore, stateStore] = [open(settings.publicStore), open(settings.stateStore)];
    const findings = await Promise.all([
      examineStore("public store", publicStore, { timer, waitingFor }),
      examineStore("state store", stateStore, { timer, waitingFor }),
    ]);
    const works = findings.flat().every(({ level }) => level === "ok");
    return [...findings.flat(), ...(works ? [await judgeDistance(settings, publicStore, stateStore)] : [])];
  } finally {
    // The last made is the deepest.
    for (const directories of made.reverse()) await removeEmpty(directories);
  }
}

/**
 * Does to one object all that Rugwatch does with a store, and checks the results. Stops at the first error and
 * removes the object in any case.
 */
async function examineStore(
  subject: string,
  store: ObjectStore,
  { timer, waitingFor }: Required<Pick<StoresOptions, "timer" | "waitingFor">>,
): Promise<Finding[]> {
  const key = toProbeKey();
  const times: string[] = [];
  const faults: Finding[] = [];
  for (const [operation, attempt] of Object.entries(toTrials(store, key))) {
    const startedAt = timer();
    waitingFor.set(subject, `${store.name}: ${operation}`);
    try {
      const reason = await attempt();
      if (reason !== null) faults.push(judgeFault(subject, operation, `${store.name}: ${operation} fails: ${reason}`));
    } catch (error) {
      // The first failure is the one to tell.
      await store.delete(key).catch(() => undefined);
      const advice = findStoreAdvice(error) ?? "Fix what the message names, or choose another store.";
      return [...faults, problem(subject, `${store.name}: ${operation} fails: ${messageOf(error)}`, advice)];
    } finally {
      waitingFor.delete(subject);
    }
    times.push(`${operation} ${toSpan(timer() - startedAt)}`);
  }
  return faults.length > 0 ? faults : [ok(subject, `${store.name}: ${times.join(", ")}`)];
}

function judgeFault(subject: string, operation: string, found: string): Finding {
  if (operation !== "create-if-absent")
    return problem(subject, found, "Rugwatch cannot rely on this store: choose another.");
  // Nothing in the public store relies on it.
  if (subject === "public store") return warning(subject, found, "Nothing rests on it here; the state store needs it.");
  const advice =
    "It cannot be used for the state: two generators at once would undo each other. Use a store with conditional writes (If-None-Match).";
  return problem(subject, found, advice);
}

/** Unique: two looks at once must not meet. */
function toProbeKey(): string {
  return `doctor-${randomUUID()}`;
}

/** The operations in order. Each returns what was wrong; null: nothing. */
function toTrials(store: ObjectStore, key: string): Record<string, () => Promise<string | null>> {
  const first = Buffer.from("rugwatch doctor\n");
  const second = Buffer.from("rugwatch doctor, a second time\n");
  const put = (body: Uint8Array, expect: "any" | "absent") =>
    store.put(key, body, { expect, contentType: "text/plain" });
  const compare = async (body: Buffer) => {
    const object = await store.get(key);
    if (object === null) return "the object that was written is not there";
    return body.equals(object.body) ? null : "other bytes came back than were written";
  };
  let etag = "";
  return {
    async write() {
      const written = await put(first, "absent");
      etag = written?.etag ?? "";
      return written === null ? "a new object was taken for one that exists" : null;
    },
    read: () => compare(first),
    async "create-if-absent"() {
      const written = await put(second, "absent");
      return written === null ? compare(first) : "it overwrites where it was told to create only";
    },
    async overwrite() {
      const written = await put(second, "any");
      if (written === null) return "nothing was written";
      if (written.etag === etag) return "the ETag did not change with the object";
      etag = written.etag;
      return compare(second);
    },
    async list() {
      const [head, ...others] = await Array.fromAsync(store.list(key));
      if (head?.key !== key || others.length > 0) return "the object is not in the list";
      return head.etag === etag ? null : "the list has another ETag than the write";
    },
    async delete() {
      await store.delete(key);
      return (await store.get(key)) === null ? null : "the object is still there";
    },
  };
}

/** The journal names the endpoints and what is unpublished: nobody else may read it. */
async function judgeDistance(
  settings: StoresOptions["settings"],
  publicStore: ObjectStore,
  stateStore: ObjectStore,
): Promise<Finding> {
  const subject = "stores apart";
  const advice = "Give RUGWATCH_STATE a place of its own: whoever serves the public store must not serve the state.";
  if ((await isSameStore(publicStore, stateStore)) || isWithinStore(settings.stateStore, settings.publicStore))
    return problem(subject, "the state store lies in the public store", advice);
  if (isWithinStore(settings.publicStore, settings.stateStore))
    return problem(subject, "the public store lies in the state store", advice);
  return ok(subject, "the state is not in the public store");
}

/** Whether what is written to one shows in the other, whatever the settings call them. */
async function isSameStore(publicStore: ObjectStore, stateStore: ObjectStore): Promise<boolean> {
  const key = toProbeKey();
  try {
    await stateStore.put(key, new Uint8Array(), { expect: "absent", contentType: "text/plain" });
    return (await publicStore.head(key)) !== null;
  } finally {
    await stateStore.delete(key);
  }
}

/**
 * Makes a store's directory.
 * @returns those newly made, innermost first
 */
async function makeDirectory(url: string): Promise<string[]> {
  const directory = toDirectory(url);
  // The store's first write says why it cannot be made.
  const outermost = directory && (await mkdir(directory, { recursive: true }).catch(() => undefined));
  const made: string[] = [];
  if (!directory || !outermost) return made;
  for (let path = directory; path.length >= outermost.length; path = dirname(path)) made.push(path);
  return made;
}

async function removeEmpty(directories: string[]): Promise<void> {
  try {
    for (const directory of directories) await rmdir(directory);
  } catch (error) {
    // Somebody else uses it meanwhile.
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) throw error;
  }
}
