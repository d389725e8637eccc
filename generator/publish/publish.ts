import type { FindDigest } from "../contract/export.ts";
import type { Network } from "../contract/networks.ts";
import type { ObjectReference } from "../contract/objects.ts";
import type { ObjectStore } from "../store/store.ts";
import { findDamage } from "./audit.ts";
import { acquireLease, describeOtherHolder, type Lease } from "./lease.ts";
import {
  readManifest,
  setManifestAside,
  toManifestKey,
  type Manifest,
  type ManifestReading,
  writeManifest,
  type PublishedDocument,
} from "./manifest.ts";
import {
  isChanged,
  isDue,
  isManifestDue,
  makePlan,
  type Plan,
  type Provenance,
  type Rendered,
} from "./plan.ts";
import { forEachLimited, putDocument, toSha256, type Item } from "./upload.ts";

const CONCURRENCY = 16;

/**
 * The bytes of a document; null: there is no such document. It is called when needed, so that few
 * documents are in memory, and for lists after the documents they name.
 */
export type Render = (reference: ObjectReference, findDigest: FindDigest) => Uint8Array | null;

/** Rows of an export without the header; null: it is no export. */
export type CountRows = (reference: ObjectReference) => number | null;

/**
 * What to publish, and under which conditions. `holder` names this process in the lease; `now`
 * is in milliseconds since 1970.
 */
export interface PublishRequest {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
  network: Network;
  series: number;
  versions: { fold: number; render: number };
  /** If the manifest has another address, all references are needed. */
  siteUrl: string;
  /** The last entry folded, and the digest of its window. */
  journal: { through: string | null; digest: string };
  /**
   * What changed since `since`. After a late entry, or without a manifest of the same versions and
   * series, everything.
   */
  references: Iterable<ObjectReference>;
  /** Nothing is published if the manifest has moved on. */
  since?: { through: string | null; digest: string };
  reading?: ManifestReading;
  render: Render;
  countRows: CountRows;
  /** Why nothing but the status may be published. */
  waiting?: string | null;
  /** Called last, with what was found damaged. */
  status: (damaged: readonly Damage[]) => Uint8Array;
  audit: boolean;
  now: () => number;
  holder: string;
  concurrency?: number;
  /** Exports of this run; the rest is deferred (deferred.ts). */
  exportsMax?: number;
}

/** A stored object that was found damaged, and the reason, for the status document. */
export interface Damage {
  object: string;
  reason: string;
}

/** Outcome of a publication. */
export interface PublishReport {
  /** Without status.json. */
  documents: { rendered: number; written: number; unchanged: number };
  /**
   * Why nothing was published. The status is published nevertheless if the request has `waiting`.
   */
  skipped: string | null;
  /** null: nothing was published. */
  journal: Manifest["journal"] | null;
  /** Left to later runs. */
  deferred: number;
  damaged: Damage[];
}

type Published = Pick<PublishReport, "journal" | "deferred">;

const NOTHING: Published = { journal: null, deferred: 0 };

/**
 * Publishes in the order leaves, lists, index, exports, manifest, status. It may be killed at any
 * time: the next run writes again what the manifest does not name.
 */
export async function publishDocuments(request: PublishRequest): Promise<PublishReport> {
  const session = openSession(request);
  const plan = await makePlan(
    session,
    request.reading ?? (await readManifest(request.stateStore, request.network)),
  );
  if (plan.obstacle !== null) return session.report(plan.obstacle);
  if (session.waiting !== null) {
    await session.putStatus();
    return session.report(session.waiting);
  }
  const start = findFirstDue(session, plan);
  let published: Published = {
    journal: plan.reading.manifest?.journal ?? null,
    deferred: plan.deferred.length,
  };
  if (start < plan.items.length || isManifestDue(plan, session.own)) {
    const lease = await acquireLease(request);
    if ("otherHolder" in lease) return session.report(describeOtherHolder(lease.otherHolder));
    try {
      if (lease.damaged !== null)
        session.note(lease.damaged, "it could not be read and was set aside");
      const outcome = await publishFrom(session, { lease, plan, start });
      if ("skipped" in outcome) return session.report(outcome.skipped);
      published = outcome;
    } finally {
      // A lease expires; its error must not hide why publishing failed.
      await Promise.allSettled([lease.release()]);
    }
  }
  for (const key of plan.foreign)
    session.note(key, "no document has this key: rebuild --prune deletes it");
  await session.putStatus();
  return session.report(null, published);
}

function openSession(request: PublishRequest) {
  const { network, series, versions, siteUrl, journal, since } = request;
  const own: Provenance = {
    series,
    foldVersion: versions.fold,
    renderVersion: versions.render,
    siteUrl,
    journal,
  };
  const rendered = new Set<string>();
  const damaged: Damage[] = [];
  let written = 0;
  return {
    ...request,
    references: [...request.references],
    exportsMax: request.exportsMax ?? Infinity,
    waiting: request.waiting ?? null,
    own,
    expected: since === undefined ? null : { ...own, journal: since },
    renderItem({ key, reference }: Item, findDigest: FindDigest): Rendered | null {
      const body = request.render(reference, findDigest);
      if (body === null) return null;
      rendered.add(key);
      return { body, sha256: toSha256(body) };
    },
    async put({ reference }: Item, { body, sha256 }: Rendered): Promise<PublishedDocument> {
      const rows = request.countRows(reference);
      const etag = await putDocument(request.publicStore, { network, reference, body });
      written += 1;
      return { sha256, etag, bytes: body.byteLength, ...(rows !== null && { rows }) };
    },
    putStatus: () =>
      putDocument(request.publicStore, {
        network,
        reference: { kind: "status", names: {} },
        body: request.status(damaged),
      }),
    async noteDamage(item: Item): Promise<void> {
      const reason = await findDamage(request.publicStore, { network, item });
      if (reason !== null) this.note(item.key, reason);
    },
    note: (object: string, reason: string) => void damaged.push({ object, reason }),
    report: (skipped: string | null, published = NOTHING): PublishReport => ({
      documents: { rendered: rendered.size, written, unchanged: rendered.size - written },
      skipped,
      ...published,
      damaged,
    }),
  };
}

type Session = ReturnType<typeof openSession>;

/** Index of the first document to write. Mostly there is none, and then no lease is needed. */
function findFirstDue(session: Session, plan: Plan): number {
  const findDigest: FindDigest = (key) => plan.reading.manifest?.documents[key] ?? null;
  const start = plan.items.findIndex((item) =>
    isDue(plan, item, session.renderItem(item, findDigest)),
  );
  return start === -1 ? plan.items.length : start;
}

async function publishFrom(
  session: Session,
  { lease, ...planned }: { lease: Lease; plan: Plan; start: number },
): Promise<{ skipped: string } | Published> {
  const { plan, start } = await refresh(session, planned);
  if (plan.obstacle !== null) return { skipped: plan.obstacle };
  const documents = new Map(Object.entries(plan.reading.manifest?.documents ?? {}));
  let changes = 0;

  async function publishItem(item: Item): Promise<void> {
    const document = session.renderItem(item, (key) => documents.get(key) ?? null);
    if (isDue(plan, item, document)) {
      changes += 1;
      await lease.extend();
      if (document === null) documents.delete(item.key);
      else {
        // A changed document is written, whatever is stored.
        if (!isChanged(documents.get(item.key), document)) await session.noteDamage(item);
        documents.set(item.key, await session.put(item, document));
      }
    }
  }

  for (const items of Map.groupBy(plan.items.slice(start), ({ stage }) => stage).values()) {
    await forEachLimited(items, {
      concurrency: session.concurrency ?? CONCURRENCY,
      work: publishItem,
    });
  }
  const { deferred, reading } = plan;
  const { network, own } = session;
  if (changes === 0 && !isManifestDue(plan, own))
    return { journal: reading.manifest?.journal ?? null, deferred: deferred.length };
  const aside = await setManifestAside(session.stateStore, { network, reading });
  if (aside !== null) session.note(aside.object, aside.reason);
  await writeManifest(session.stateStore, {
    network,
    ...own,
    documents: Object.fromEntries(documents),
    deferred,
  });
  return { journal: own.journal, deferred: deferred.length };
}

/** Reads the manifest again: another generator may have published before this one had the lease. */
async function refresh(
  session: Session,
  planned: { plan: Plan; start: number },
): Promise<{ plan: Plan; start: number }> {
  const head = await session.stateStore.head(toManifestKey(session.network));
  const isSame = (head?.etag ?? null) === planned.plan.reading.etag;
  if (isSame) return planned;
  return {
    plan: await makePlan(session, await readManifest(session.stateStore, session.network)),
    start: 0,
  };
}
