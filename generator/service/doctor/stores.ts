import { randomUUID } from "node:crypto";
import { isWithinStore, toDirectory, type Settings } from "../../settings/settings.ts";
import { openStore } from "../../store/open.ts";
import type { ObjectStore } from "../../store/store.ts";
import { toSpan } from "./durations.ts";
import { ok, problem, warning, type Finding } from "./findings.ts";
import { findMissingDirectories, removeEmptyDirectories } from "./store-directory.ts";
import { adviseOn } from "./store-advice.ts";
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
  const urls = [settings.publicStore, settings.stateStore];
  const directories = urls.map(toDirectory).filter((directory) => directory !== null);
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
      ...(works ? await examineDistance(settings, publicStore, stateStore) : []),
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
      "It cannot be used for the state: two generators at once would undo each other. Use a store with conditional writes (If-None-Match).",
    );
  });
}

/** The journal says which endpoints are asked, and what is not published: nobody else is to read it. */
async function examineDistance(
  { publicStore: publicUrl, stateStore: stateUrl }: StoresExamination["settings"],
  publicStore: ObjectStore,
  stateStore: ObjectStore,
): Promise<Finding[]> {
  const subject = "stores apart";
  const advice = "Give RUGWATCH_STATE a place of its own: whoever serves the public store must not serve the state.";
  if (isWithinStore(stateUrl, publicUrl) || (await isSameStore(publicStore, stateStore))) {
    return [problem(subject, "the state store lies in the public store", advice)];
  }
  if (isWithinStore(publicUrl, stateUrl)) return [problem(subject, "the public store lies in the state store", advice)];
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
