import { z } from "zod";
import {
  accountSchema,
  decodeVoteAccount,
  VOTE_ACCOUNT_SLICE_BYTES,
} from "../../../generator/observe/accounts.ts";
import { voteRowSchema } from "../../../generator/observe/vote-accounts.ts";
import type { Stay } from "./changes.ts";
import type { Ask } from "./rpc.ts";

/** What a node answered of one vote account, in basis points. null: no such account. */
interface AccountAnswer {
  /** Of the answer. */
  slot: number;
  shown: (number | null)[];
}

interface ListAnswer {
  kind: "whole" | "filtered";
  /** Final when it was asked, and when it had answered. */
  asked: number;
  answered: number;
  /** The newest vote that it counts: it is of a later slot. */
  lastVote: number;
  shown: number;
}

export interface Reading {
  accounts: AccountAnswer[];
  lists: ListAnswer[];
  /** A busy node does not answer everything in time. */
  failures: number;
}

/** As many as one call may name. */
const KEYS = 100;
/** Calls at the same time. */
const ACCOUNT_READERS = 3;

/** Asks as fast as the node answers. */
export function startReading(ask: Ask, vote: string): { stop(): Promise<Reading> } {
  const reading: Reading = { accounts: [], lists: [], failures: 0 };
  let isStopped = false;
  const readers = [
    ...Array.from(
      { length: ACCOUNT_READERS },
      () => async () => void reading.accounts.push(await readAccounts()),
    ),
    async () => void reading.lists.push(await readList("whole", {})),
    async () => void reading.lists.push(await readList("filtered", { votePubkey: vote })),
  ].map(untilStopped);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(readers);
      return reading;
    },
  };

  async function untilStopped(read: () => Promise<void>): Promise<void> {
    while (!isStopped) await read().catch(() => void (reading.failures += 1));
  }

  async function readAccounts(): Promise<AccountAnswer> {
    const params = [
      Array.from({ length: KEYS }, () => vote),
      { ...FINAL, encoding: "base64", dataSlice: SLICE },
    ];
    const { context, value } = await ask("getMultipleAccounts", params, accountsSchema);
    return {
      slot: context.slot,
      shown: value.map((one) => (one === null ? null : decodeVoteAccount(one).basisPoints)),
    };
  }

  async function readList(
    kind: ListAnswer["kind"],
    filter: { votePubkey?: string },
  ): Promise<ListAnswer> {
    const asked = await ask("getSlot", [FINAL], z.int());
    const { current, delinquent } = await ask(
      "getVoteAccounts",
      [{ ...FINAL, ...filter }],
      listSchema,
    );
    const answered = await ask("getSlot", [FINAL], z.int());
    const row = [...current, ...delinquent].find(({ votePubkey }) => votePubkey === vote);
    const shown = z.int().parse(row?.inflationRewardsCommissionBps);
    return { kind, asked, answered, lastVote: row?.lastVote ?? 0, shown };
  }
}

const FINAL = { commitment: "finalized" };
const SLICE = { offset: 0, length: VOTE_ACCOUNT_SLICE_BYTES };
const accountsSchema = z.object({
  context: z.object({ slot: z.int() }),
  value: z.array(accountSchema.nullable()).length(KEYS),
});
const listSchema = z.object({
  current: z.array(voteRowSchema),
  delinquent: z.array(voteRowSchema),
});

export type AccountCounts = Record<"exact" | "older" | "newer" | "absent", number>;

/**
 * Each account that was shown, held against its answer's
 * slot. Answers from before the first change are left out.
 */
export function countAccounts(
  answers: readonly AccountAnswer[],
  stays: readonly Stay[],
): AccountCounts {
  const counts = { exact: 0, older: 0, newer: 0, absent: 0 };
  for (const { slot, shown } of answers) {
    const truth = stays.findLast((stay) => stay.slot <= slot)?.basisPoints;
    if (truth === undefined) continue;
    for (const one of shown) {
      if (one === null) counts.absent += 1;
      else if (one === truth) counts.exact += 1;
      else counts[one < truth ? "older" : "newer"] += 1;
    }
  }
  return counts;
}

/** What the list shows was replaced by the slot, or was not there yet. */
export function findFalseLists(
  lists: readonly ListAnswer[],
  stays: readonly Stay[],
  slotsOf: (list: ListAnswer) => { first: number; last: number },
): string[] {
  const begin = stays[0]?.slot ?? Infinity;
  return lists.flatMap((list) => {
    const { first, last } = slotsOf(list);
    if (first < begin) return [];
    const stay = stays.find(({ basisPoints }) => basisPoints === list.shown);
    if (stay !== undefined && stay.slot <= last && stay.until > first) return [];
    const held = stay === undefined ? "never held" : `held in ${stay.slot} to ${stay.until - 1}`;
    return [`${list.kind}: ${list.shown}, ${held}, shown for ${first} to ${last}`];
  });
}
