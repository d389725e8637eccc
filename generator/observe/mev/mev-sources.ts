import type { Network } from "../../contract/networks.ts";
import type { ClosedEpoch, SnapshotEntry, Tip } from "../../entries/entry.ts";
import type { RpcReader } from "../../rpc/reader.ts";
import { withReaders } from "../../rpc/retry.ts";
import { askWitnesses, assertAnswered, type Panel } from "../witnesses.ts";
import { NOT_CONFIGURED, NOT_DUE, toSection } from "../section.ts";
import { assertNotBehind } from "../session.ts";
import { readPriorityFees, readTipShares } from "./distribution-accounts.ts";
import { hasPriorityFeeProgram, hasTipProgram } from "./tip-programs.ts";
import { readClosedProduction } from "./closed-production.ts";
import { readMev } from "./mev-list.ts";
import type { MevOptions } from "./vendor-api.ts";
import { readPanelTipAmounts } from "./tip-amounts.ts";

/** Sections of a snapshot about MEV. */
export type MevSections = Pick<
  SnapshotEntry,
  "mev" | "priorityFees" | "tips" | "closedProduction" | "tipAmounts"
>;

/** What to read on chain. */
export interface MevRequest {
  /** Tip accounts to read at every witness. */
  tips: Tip[];
  /** Accounts that are known to be there. */
  controls: Tip[];
  /** Whose blocks of the closed epoch to count at every witness; null: nobody's. */
  closed: ClosedEpoch | null;
  /** Tip accounts whose amounts to read, also at every witness. */
  tipAmounts: Tip[];
  /** Vote accounts whose priority-fee commissions to read if the vendor does not list them. */
  priorityFees: string[];
}

interface MevSourceOptions extends MevRequest, Panel {
  network: Network;
  readers: RpcReader[];
  epoch: number;
  mev: MevOptions | null;
}

/** Leaves time to read the chain when the vendor does not answer. */
const VENDOR_MILLISECONDS = 30_000;

/** The chain shows commissions; the vendor's list, which clients run with MEV. */
export async function readMevSources(options: MevSourceOptions): Promise<MevSections> {
  const [vendor, tips, closedProduction, tipAmounts] = await Promise.all([
    readVendor(options),
    readTips(options),
    readProduction(options),
    readAmounts(options),
  ]);
  return { ...vendor, tips, closedProduction, tipAmounts };
}

async function readVendor(
  options: MevSourceOptions,
): Promise<Pick<MevSections, "mev" | "priorityFees">> {
  const { mev: vendor } = options;
  if (vendor === null) return { mev: NOT_CONFIGURED, priorityFees: await readFees(options) };
  const deadline = Math.min(options.deadline, vendor.now() + VENDOR_MILLISECONDS);
  const mev = await toSection(async () => ({ rows: await readMev(vendor, { deadline }) }));
  return { mev, priorityFees: mev.state === "ok" ? NOT_DUE : await readFees(options) };
}

async function readFees(options: MevSourceOptions): Promise<MevSections["priorityFees"]> {
  const { network, readers, priorityFees: votes, epoch } = options;
  if (!hasPriorityFeeProgram(network)) return NOT_CONFIGURED;
  if (votes.length === 0) return NOT_DUE;
  return toSection(async () => ({
    rows: await withReaders(readers, (reader) =>
      readPriorityFees(reader, { network, votes, epoch }),
    ),
  }));
}

async function readTips(options: MevSourceOptions): Promise<MevSections["tips"]> {
  const { network, tips, controls } = options;
  if (!hasTipProgram(network)) return NOT_CONFIGURED;
  if (tips.length === 0) return NOT_DUE;
  return toSection(async () => {
    const answers = await askWitnesses(options, async (reader, endpoint) => {
      const { slot, shares } = await readTipShares(reader, network, [...tips, ...controls]);
      if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
      return { slot: slot ?? endpoint.epoch.absoluteSlot, shares };
    });
    assertAnswered(answers);
    return { tips, controls, answers };
  });
}

async function readProduction(options: MevSourceOptions): Promise<MevSections["closedProduction"]> {
  const { network, closed } = options;
  if (!hasTipProgram(network)) return NOT_CONFIGURED;
  return closed === null ? NOT_DUE : toSection(() => readClosedProduction({ ...options, closed }));
}

async function readAmounts(options: MevSourceOptions): Promise<MevSections["tipAmounts"]> {
  const { network, tipAmounts: tips } = options;
  if (!hasTipProgram(network)) return NOT_CONFIGURED;
  return tips.length === 0 ? NOT_DUE : toSection(() => readPanelTipAmounts({ ...options, tips }));
}
