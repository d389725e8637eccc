import { randomUUID } from "node:crypto";
import { isWithinStore, toDirectory, type Config } from "../../config.ts";
import { openStore } from "../../store/open.ts";
import type { ObjectStore } from "../../store/store.ts";
import { toSpan } from "./durations.ts";
import { ok, problem, warning, type Finding } from "./findings.ts";
import { findMissingDirectories, removeEmptyDirectories } from "./store-directory.ts";
import { probeStore, STORE_OPERATIONS, type StoreProbe } from "./store-probe.ts";

export interface StoresExamination {
  config: Pick<Config, "publicStore" | "stateStore">;
  /** Milliseconds from any beginning. */
  timer: () => number;
  open?: (url: string) => ObjectStore;
}

/**
 * Both stores, with one object of a key of its own in each. It lies at the top, where no reader looks: documents are below
 * `api/`, entries and what belongs to them each below a folder of their own.
 */
export async function examineStores({ config, timer, open = openStore }: StoresExamination): Promise<Finding[]> {
  const urls = [config.publicStore, config.stateStore];
  const directories = urls.map(toDirectory).filter((directory) => directory !== null);
  const missing = (await Promise.all(directories.map(findMissingDirectories))).flat();
  try {
    const [publicStore, stateStore] = [open(config.publicStore), open(config.stateStore)];
    const key = toProbeKey();
    const [publicProbe, stateProbe] = await Promise.all([
      probeStore({ store: publicStore, key: `${key}-public`, timer }),
      probeStore({ store: stateStore, key: `${key}-state`, timer }),
    ]);
    const works = publicProbe.faults.length === 0 && stateProbe.faults.length === 0;
    return [
      ...toFindings("public store", publicStore, publicProbe),
      ...toFindings("state store", stateStore, stateProbe),
      ...(works ? await examineDistance(config, publicStore, stateStore) : []),
    ];
  } finally {
    // Only what the probes made, and only when both are over: the directories may have one parent.
    await removeEmptyDirectories(missing.toSorted((one, other) => other.length - one.length));
  }
}

/** Another for each run: two of them at once must not meet. */
function toProbeKey(): string {
  return `doctor-${randomUUID()}`;
}

function toFindings(subject: string, store: ObjectStore, { milliseconds, faults }: StoreProbe): Finding[] {
  if (faults.length === 0) {
    const times = STORE_OPERATIONS.map((operation) => `${operation} ${toSpan(milliseconds[operation] ?? 0)}`);
    return [ok(subject, `${store.name}: ${times.join(", ")}`)];
  }
  return faults.map(({ operation, reason, error }) => {
    const found = `${store.name}: ${operation} fails: ${reason}`;
    if (operation !== "create-if-absent" || error !== null) return problem(subject, found, adviseOn(error));
    // Documents are written over and over; what must not be written twice lies in the state store.
    if (subject === "public store")
      return warning(subject, found, "Nothing rests on it here; the state store needs it.");
    return problem(
      subject,
      found,
      "Use a store with conditional writes: two generators at once would undo each other.",
    );
  });
}

/** What the system's codes mean for whoever set up the store. */
const ADVICE = new Map([
  ["EACCES", "Give the user that Rugwatch runs as the right to read and write there (chown or chmod)."],
  ["EPERM", "Give the user that Rugwatch runs as the right to read and write there (chown or chmod)."],
  ["EROFS", "The file system is read-only: mount it for writing, or choose another directory."],
  ["ENOSPC", "The disk is full: make room, or choose another disk."],
  ["EDQUOT", "The disk quota is used up: make room, or have it raised."],
  ["ENOTDIR", "A file lies where the directory should be: move it away, or choose another directory."],
  ["EEXIST", "A file lies where the directory should be: move it away, or choose another directory."],
  ["EMFILE", "Too many files are open: raise the limit (ulimit -n)."],
  ["EIO", "The disk reports an error: look at the system's log."],
]);

/** @param error null: nothing was thrown, the store merely did not do what it said. */
function adviseOn(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const advice = "code" in cause ? ADVICE.get(String(cause.code)) : undefined;
    if (advice !== undefined) return advice;
  }
  return error === null
    ? "Rugwatch cannot rely on this store: choose another."
    : "Mend what the message names, or choose another store.";
}

/** The journal says which endpoints are asked, and what is not published: nobody else is to read it. */
async function examineDistance(
  { publicStore: publicUrl, stateStore: stateUrl }: StoresExamination["config"],
  publicStore: ObjectStore,
  stateStore: ObjectStore,
): Promise<Finding[]> {
  const subject = "stores apart";
  if (isWithinStore(stateUrl, publicUrl) || (await isSameStore(publicStore, stateStore))) {
    const advice = "Give RUGWATCH_STATE a place of its own: whoever serves the public store must not serve the state.";
    return [problem(subject, "the state store lies in the public store", advice)];
  }
  return [ok(subject, "the state is not in the public store")];
}

/** Whether what is written into one shows in the other, whatever the settings call them. */
async function isSameStore(publicStore: ObjectStore, stateStore: ObjectStore): Promise<boolean> {
  const key = toProbeKey();
  try {
    await stateStore.put(key, new Uint8Array(), { expect: "absent", contentType: "application/octet-stream" });
    return (await publicStore.head(key)) !== null;
  } finally {
    await stateStore.delete(key);
  }
}
