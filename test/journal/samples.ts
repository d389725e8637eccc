import type { CheckEntry, PanelList } from "../../generator/entries/entry.ts";
import type { Ruling } from "../../generator/entries/ruling.ts";
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
    votes: [
      {
        vote: VOTE,
        basisPoints: 500,
        percent: 5,
        delinquent: false,
        activeStake: 38_263_229_364_446_901n,
      },
    ],
    unclear: [],
    accounts: [],
    ...change,
  };
}

/** The same as the entry's. */
function makeList(slot: number): PanelList {
  return { slot, unreadableRows: 0, hasBasisPoints: true, lacks: [], rows: [] };
}

export function makeRuling(change: Partial<Ruling> = {}): Ruling {
  return {
    format: 1,
    network: "mainnet",
    ruledAt: "2026-11-20T12:00:00.000Z",
    after: null,
    subject: { of: "observation", first: "0000000001", last: "0000000001" },
    verdict: "ignore",
    reason: "the endpoint lied",
    ...change,
  };
}

/** A ledger that claims to have folded up to an entry. */
export function makeLedger(name: string): Ledger {
  return {
    ...createLedger("mainnet"),
    position: { name, hash: "0".repeat(64), time: "2026-11-20T12:00:00.000Z" },
  };
}
