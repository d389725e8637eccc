import type { Network } from "../../contract/networks.ts";
import type { SnapshotEntry } from "../../entries/entry.ts";
import type { Witness } from "../../rpc/ranking.ts";
import { withReaders } from "../../rpc/retry.ts";
import { hasTipProgram, readClosedTipAccounts, readTipAccounts } from "./distribution-accounts.ts";
import { assertNotLatest, readMev, type MevList, type MevOptions } from "./mev.ts";
import type { RpcReader } from "../../rpc/reader.ts";
import { readPanelTipAmounts } from "./tip-amounts.ts";
import { NOT_CONFIGURED, NOT_DUE, toSection } from "../section.ts";
import { askWitnesses, assertAnswered } from "../confirmation.ts";

/** Sections of a snapshot about MEV. */
export type MevSections = Pick<SnapshotEntry, "mev" | "tips" | "closedMev" | "closedTips" | "tipAmounts">;

/** What to ask about the last closed epoch. */
export interface ClosedMevRequest {
  epoch: number;
  votes: string[];
}

interface MevSourceOptions {
  network: Network;
  readers: RpcReader[];
  /** The panel, which reads the tip accounts of a closed epoch. */
  witnesses: readonly Witness[];
  votes: string[];
  epoch: number;
  epochFirstSlot: number;
  /** By the readers' clock. */
  deadline: number;
  closed: ClosedMevRequest | null;
  /** Whose tips to read. */
  tipAmounts: { vote: string; epoch: number }[];
  mev: MevOptions | null;
}

/** Leaves time to read the chain when the vendor does not answer. */
const VENDOR_MILLISECONDS = 30_000;

/**
 * The chain replaces a vendor that fails or is not configured. A closed epoch needs both: the vendor's list may show
 * older records, and lacks validators that its sources missed.
 */
export async function readMevSources(options: MevSourceOptions): Promise<MevSections> {
  const [vendor, closedTips, tipAmounts] = await Promise.all([
    readVendor(options),
    readClosedTips(options),
    readAmounts(options),
  ]);
  const tips = vendor.mev.state === "ok" ? NOT_DUE : await readTips(options);
  return { ...vendor, tips, closedTips, tipAmounts };
}

async function readVendor(options: MevSourceOptions): Promise<Pick<MevSections, "mev" | "closedMev">> {
  const { mev: vendor, closed } = options;
  if (vendor === null) return { mev: NOT_CONFIGURED, closedMev: NOT_CONFIGURED };
  const deadline = Math.min(options.deadline, vendor.now() + VENDOR_MILLISECONDS);
  const latest = readMev(vendor, { epoch: null, deadline });
  const [mev, closedMev] = await Promise.all([
    toSection(async () => ({ rows: (await latest).rows })),
    closed === null ? NOT_DUE : toSection(() => readClosed(vendor, { epoch: closed.epoch, deadline, latest })),
  ]);
  return { mev, closedMev };
}

async function readClosed(
  vendor: MevOptions,
  { latest, ...asked }: { epoch: number; deadline: number; latest: Promise<MevList> },
) {
  const [list, other] = await Promise.all([readMev(vendor, asked), latest]);
  assertNotLatest(list, other);
  return { epoch: asked.epoch, rows: list.rows };
}

async function readTips({ network, readers, votes, epoch }: MevSourceOptions): Promise<MevSections["tips"]> {
  if (!hasTipProgram(network)) return NOT_CONFIGURED;
  return toSection(async () => ({
    rows: await withReaders(readers, (reader) => readTipAccounts(reader, { network, votes, epoch })),
  }));
}

async function readClosedTips(options: MevSourceOptions): Promise<MevSections["closedTips"]> {
  const { network, witnesses, closed, deadline, epochFirstSlot: since } = options;
  if (!hasTipProgram(network)) return NOT_CONFIGURED;
  if (closed === null || closed.votes.length === 0) return NOT_DUE;
  return toSection(async () => {
    const answers = await askWitnesses(witnesses, deadline, (reader) =>
      readClosedTipAccounts(reader, { network, ...closed, since }),
    );
    assertAnswered(answers);
    return { ...closed, answers };
  });
}

async function readAmounts(options: MevSourceOptions): Promise<MevSections["tipAmounts"]> {
  const { network, tipAmounts: tips } = options;
  if (!hasTipProgram(network)) return NOT_CONFIGURED;
  return tips.length === 0 ? NOT_DUE : toSection(() => readPanelTipAmounts({ ...options, tips }));
}
