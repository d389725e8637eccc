import type { CheckEntry, PanelList, RulingEntry } from "../../generator/entries/entry.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import type { JournalPlace } from "../../generator/journal/names.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";

export const VOTE = "Vote111111111111111111111111111111111111111";

export function makePlace(): JournalPlace {
  return { store: openMemoryStore(), network: "mainnet", series: 1 };
}

export function makeCheck(time: string, change: Partial<CheckEntry> = {}): CheckEntry {
  return {
    kind: "check",
    format: 1,
    network: "mainnet",
    time,
    endpoint: "https://rpc.example.org#1",
    panel: [
      {
        endpoint: "https://rpc.example.org#1",
        slot: 1_001,
        epoch: 1,
        firstSlot: 991,
        slotsInEpoch: 432_000,
        list: makeList(1_000),
        reason: null,
      },
    ],
    slot: 1_000,
    epoch: 1,
    slotIndex: 10,
    slotsInEpoch: 432_000,
    absoluteSlot: 1_001,
    unreadableRows: 0,
    votes: [{ vote: VOTE, basisPoints: 500, percent: 5, delinquent: false, activeStake: 38_263_229_364_446_901n }],
    unclear: [],
    accounts: [],
    ...change,
  };
}

/** The same as the entry's. */
function makeList(slot: number): PanelList {
  return { slot, unreadableRows: 0, hasBasisPoints: true, lacks: [], rows: [] };
}

export function makeRuling(time: string, reason = "the endpoint lied"): RulingEntry {
  return {
    kind: "ruling",
    format: 1,
    network: "mainnet",
    time,
    ruledAt: "2026-11-20T12:00:00.000Z",
    subject: { of: "observation", key: "2026-11-20/000000000-check-0000000000000000" },
    verdict: "ignore",
    reason,
  };
}

/** A ledger that claims to have folded up to an entry. */
export function makeLedger(position: { name: string; time: string }): Ledger {
  return { ...createLedger("mainnet"), position };
}
