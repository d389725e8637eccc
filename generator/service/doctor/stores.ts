import { randomUUID } from "node:crypto";
import { rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isWithinStore, toDirectory, type Settings } from "../../settings/settings.ts";
import { openStore } from "../../store/open.ts";
import type { ObjectStore } from "../../store/store.ts";
import { hasCode } from "../../store/disk.ts";
import { ok, problem, toSpan, warning, type Finding } from "./findings.ts";
import { findStoreAdvice } from "./store-advice.ts";
import { probeStore, STORE_OPERATIONS, type StoreProbe } from "./store-probe.ts";

export interface StoresExamination {
  settings: Pick<Settings, "publicStore" | "stateStore">;
  /** Milliseconds from any beginning. */
  timer: () => number;
  open?: (url: string) => ObjectStore;
}

/**
 * Both stores, with one object of a key of its own in each. It lies at the top, where no reader looks: documents are below
 * `api/`, entries and what belongs to them each below a folder of their own.
 */
export async function examineStores({ settings, timer, open = openStore }: StoresExamination): Promise<Finding[]> {
  const directories = [settings.publicStore, settings.stateStore].map(toDirectory).filter((one) => one !== null);
  const missing = (await Promise.all(directories.map(findMissingDirectories))).flat();
  try {
    const [publicStore, stateStore] = [open(settings.publicStore), open(settings.stateStore)];
    const key = toProbeKey();
    const [publicProbe, stateProbe] = await Promise.all([
      probeStore({ store: publicStore, key: `${key}-public`, timer }),
      probeStore({ store: stateStore, key: `${key}-state`, timer }),
    ]);
    const works = publicProbe.faults.length === 0 && stateProbe.faults.length === 0;
    return [
      ...toFindings("public store", publicStore, publicProbe),
      ...toFindings("state store", stateStore, stateProbe),
      ...(works ? [judgeDistance(settings, await isSameStore(publicStore, stateStore))] : []),
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
    if (error !== null) {
      const advice = findStoreAdvice(error) ?? "Mend what the message names, or choose another store.";
      return problem(subject, found, advice);
    }
    if (operation !== "create-if-absent")
      return problem(subject, found, "Rugwatch cannot rely on this store: choose another.");
    // Documents are written over and over; what must not be written twice lies in the state store.
    if (subject === "public store")
      return warning(subject, found, "Nothing rests on it here; the state store needs it.");
    return problem(
      subject,
      found,
      "It cannot be used for the state: two generators at once would undo each other. Use a store with conditional writes (If-None-Match).",
    );
  });
}

/** The journal says which endpoints are asked, and what is not published: nobody else is to read it. */
function judgeDistance({ publicStore, stateStore }: StoresExamination["settings"], isSame: boolean): Finding {
  const subject = "stores apart";
  const advice = "Give RUGWATCH_STATE a place of its own: whoever serves the public store must not serve the state.";
  if (isSame || isWithinStore(stateStore, publicStore))
    return problem(subject, "the state store lies in the public store", advice);
  if (isWithinStore(publicStore, stateStore))
    return problem(subject, "the public store lies in the state store", advice);
  return ok(subject, "the state is not in the public store");
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

/** The directories that a first write would make, innermost first. */
async function findMissingDirectories(directory: string): Promise<string[]> {
  const missing: string[] = [];
  for (let path = directory; dirname(path) !== path && !(await exists(path)); path = dirname(path)) missing.push(path);
  return missing;
}

/** What cannot be looked at counts as there: whoever writes will be told why. */
async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => !hasCode(error, "ENOENT"),
  );
}

async function removeEmptyDirectories(directories: string[]): Promise<void> {
  for (const directory of directories) {
    try {
      await rmdir(directory);
    } catch (error) {
      // Somebody keeps something in it meanwhile, or it was never made.
      if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "EACCES")) throw error;
    }
  }
}
