import { z } from "zod";
import type { Network } from "../contract/networks.ts";
import { timeSchema } from "../contract/values.ts";
import { getOrDamaged, isUndamaged, setAside } from "../store/damaged.ts";
import type { ObjectStore, StoredObject } from "../store/store.ts";

/** For so long, a dead holder keeps others waiting. */
const LEASE_MILLISECONDS = 120_000;

const leaseSchema = z.object({ holder: z.string(), until: timeSchema });

type LeaseRecord = z.infer<typeof leaseSchema>;

interface LeaseRequest {
  stateStore: ObjectStore;
  network: Network;
  /** What the lease is for; absent: publishing. */
  purpose?: string;
  holder: string;
  now: () => number;
}

/** A lease that this process holds. `release` lets others in before it expires. */
export interface Lease {
  /** Writes nothing until half of the time has passed. */
  extend: () => Promise<void>;
  release: () => Promise<void>;
  /** Key of an old lease that could not be read and was ignored. */
  damaged: string | null;
}

/**
 * Keeps generators from doing the same work twice. Correctness does not depend on it: two
 * generators may hold it at once.
 */
export async function acquireLease(
  request: LeaseRequest,
): Promise<Lease | { otherHolder: string }> {
  const { stateStore, holder, now } = request;
  let until = now() + LEASE_MILLISECONDS;
  const created = await write(request, { until, expect: "absent" });
  let damaged: string | null = null;
  if (!created) {
    const { record: current, unreadable } = await read(request);
    if (unreadable !== null) {
      await setAside(stateStore, unreadable);
      damaged = unreadable.key;
    }
    if (current !== null && current.holder !== holder && isRunning(current, now()))
      return { otherHolder: current.holder };
    await write(request, { until, expect: "any" });
    const { record: taken } = await read(request);
    if (taken !== null && taken.holder !== holder) return { otherHolder: taken.holder };
  }
  return {
    damaged,
    async extend() {
      if (until - now() > LEASE_MILLISECONDS / 2) return;
      until = now() + LEASE_MILLISECONDS;
      await write(request, { until, expect: "any" });
    },
    async release() {
      const { record: current } = await read(request);
      if (current?.holder === holder) await stateStore.delete(toLeaseKey(request));
    },
  };
}

const LEASE_TAKEN = "another generator is publishing: lease held by ";

/** Reason for not publishing while another generator holds the lease. */
export function describeOtherHolder(holder: string): string {
  return LEASE_TAKEN + holder;
}

/** Whether publishing was skipped for another holder's lease, which passes within minutes. */
export function isLeaseTaken(reason: string | null): boolean {
  return reason?.startsWith(LEASE_TAKEN) ?? false;
}

/** A lease that ends later than any can was written by a wrong clock. */
function isRunning({ until }: LeaseRecord, now: number): boolean {
  const left = Date.parse(until) - now;
  return left > 0 && left <= 2 * LEASE_MILLISECONDS;
}

async function write(
  request: LeaseRequest,
  { until, expect }: { until: number; expect: "absent" | "any" },
): Promise<boolean> {
  const { stateStore, holder } = request;
  const record: LeaseRecord = { holder, until: new Date(until).toISOString() };
  const body = new TextEncoder().encode(JSON.stringify(record));
  return (
    (await stateStore.put(toLeaseKey(request), body, {
      expect,
      contentType: "application/json",
    })) !== null
  );
}

async function read(
  request: LeaseRequest,
): Promise<{ record: LeaseRecord | null; unreadable: StoredObject | null }> {
  const object = await getOrDamaged(request.stateStore, toLeaseKey(request));
  if (!isUndamaged(object)) return { record: null, unreadable: null };
  const { data: record = null } = leaseSchema.safeParse(toJson(object.body));
  return { record, unreadable: record === null ? object : null };
}

function toJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function toLeaseKey({ network, purpose }: LeaseRequest): string {
  return `lease/${network}${purpose === undefined ? "" : `-${purpose}`}.json`;
}
