import { z } from "zod";
import { decodeTransaction } from "../../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../../generator/chain/vote-changes.ts";
import { TRANSACTION_OPTIONS } from "../../../generator/observe/transactions/transaction-answer.ts";
import { updateCommissionBasisPoints } from "../../cluster/transactions/programs.ts";
import type { Account } from "./deeds.ts";
import { waitUntil } from "./rpc.ts";
import { send, waitUntilLanded } from "./transactions.ts";
import type { Validator } from "./validator.ts";

/** A rate that the chain held from the end of a slot on. */
export interface Stay {
  basisPoints: number;
  slot: number;
  /** The first slot without it; Infinity: it still stands. */
  until: number;
}

interface Changing {
  /** Resolves with what the chain says it carried out, oldest first, when all of it is final. */
  stop(): Promise<Stay[]>;
}

/** Then a commission stands long enough for a witness that is alone to show it twice. */
const CHANGES_AT_A_TIME = 20;
const REST_MILLISECONDS = 45_000;
const LOOK_MILLISECONDS = 500;

/**
 * Each commission is set once, in rising order, so
 * what is shown tells since when it is out of date.
 */
export function startChanges(
  { ask, faucet }: Pick<Validator, "ask" | "faucet">,
  account: Pick<Account, "vote" | "authority">,
): Changing {
  let isStopped = false;
  const changing = changeUntilStopped();
  return {
    async stop() {
      isStopped = true;
      const last = await changing;
      return readStays(last);
    },
  };

  /** Returns the last one that landed. */
  async function changeUntilStopped(): Promise<string> {
    let last = "";
    for (let basisPoints = 1; !isStopped; basisPoints++) {
      const { vote, authority } = account;
      const instructions = [updateCommissionBasisPoints(vote, authority.address, basisPoints)];
      try {
        const signature = await send(ask, { keys: [faucet, authority], instructions });
        await waitUntilLanded(ask, signature, ["processed", "confirmed", "finalized"]);
        last = signature;
        if (basisPoints % CHANGES_AT_A_TIME === 0) await rest();
      } catch {
        // A busy node may not answer; what the chain carried out of it is read in the end.
      }
    }
    return last;
  }

  async function rest(): Promise<void> {
    for (const until = Date.now() + REST_MILLISECONDS; !isStopped && Date.now() < until;)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }

  async function readStays(last: string): Promise<Stay[]> {
    const rows = await waitUntil("a list with the last change", LISTED_SECONDS, async () => {
      const listed = await ask(
        "getSignaturesForAddress",
        [account.authority.address, LIST_OPTIONS],
        listSchema,
      );
      return listed.some(({ signature }) => signature === last) ? listed : null;
    });
    const carriedOut: { slot: number; basisPoints: number }[] = [];
    for (const { signature, slot } of rows.filter(({ err }) => err === null))
      for (const basisPoints of await readRates(signature)) carriedOut.push({ slot, basisPoints });
    const inOrder = carriedOut.sort((a, b) => a.basisPoints - b.basisPoints);
    return inOrder.map((one, index) => ({ ...one, until: inOrder[index + 1]?.slot ?? Infinity }));
  }

  async function readRates(signature: string): Promise<number[]> {
    const { transaction } = await waitUntil(`transaction ${signature}`, LISTED_SECONDS, () =>
      ask("getTransaction", [signature, TRANSACTION_OPTIONS], transactionSchema),
    );
    const changes = findVoteChanges(decodeTransaction(Buffer.from(transaction[0], "base64")), {
      inner: [],
      loaded: [],
    });
    return changes.flatMap(({ change }) =>
      change.of === "inflationCommission" ? [change.basisPoints] : [],
    );
  }
}

/** A block is final 32 slots of 0.4 s later, on a busy machine much later. */
const LISTED_SECONDS = 120;
const LIST_OPTIONS = { limit: 1_000, commitment: "finalized" };
const listSchema = z.array(z.object({ signature: z.string(), slot: z.int(), err: z.unknown() }));
const transactionSchema = z.object({ transaction: z.tuple([z.base64(), z.literal("base64")]) });
