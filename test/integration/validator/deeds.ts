import { z } from "zod";
import type { VoteAccountChange } from "../../../generator/chain/vote-instructions.ts";
import { TRANSACTION_OPTIONS } from "../../../generator/observe/transactions/transaction-answer.ts";
import type { Version } from "../../cluster/transactions/message-layout.ts";
import type { Keypair, Instruction } from "../../cluster/transactions/message.ts";
import {
  authorizeWithdrawer,
  updateBlockRevenueCommission,
  updateCommission,
  updateCommissionBasisPoints,
  updateCommissionCollector,
} from "../../cluster/transactions/programs.ts";
import { waitUntil } from "./rpc.ts";
import { confirm, send, sendInTurn, waitUntilLanded, type Order } from "./transactions.ts";
import type { Validator } from "./validator.ts";

export interface Account {
  name: string;
  vote: string;
  authority: Keypair;
}

export interface Act {
  instructions: Instruction[];
  keys: Keypair[];
  version?: Version;
  aims: Aim[];
}

interface Aim {
  account: string;
  signer: string;
  /** Inflation commissions in order, basis points. */
  rates: number[];
  other: {
    of: Exclude<VoteAccountChange["of"], "initialized" | "inflationCommission">;
    to: string | number;
  } | null;
}

export interface Deed extends Aim {
  signature: string;
  slot: number;
  /** ISO 8601 in UTC. */
  blockTime: string;
}

export interface Doer {
  deeds: Deed[];
  failed: string[];
  /** In turn, in close slots; all final on return. */
  carryOut(...acts: Act[]): Promise<void>;
  /** @throws {Error} when it succeeds */
  fail(act: Act): Promise<void>;
}

export const sets = (account: Account, ...rates: number[]): Act => ({
  ...by(account, { rates }),
  instructions: rates.map((rate) =>
    updateCommissionBasisPoints(account.vote, account.authority.address, rate),
  ),
});

export const setsPercent = (account: Account, percent: number): Act => ({
  ...by(account, { rates: [percent * 100] }),
  instructions: [updateCommission(account.vote, account.authority.address, percent)],
});

export const setsBlockRevenue = (account: Account, basisPoints: number): Act => ({
  ...by(account, { other: { of: "blockRevenueCommission", to: basisPoints } }),
  instructions: [
    updateBlockRevenueCommission(account.vote, account.authority.address, basisPoints),
  ],
});

/** @param collector must exist and be rent-exempt */
export const setsCollector = (account: Account, collector: string): Act => ({
  ...by(account, { other: { of: "blockRevenueCollector", to: collector } }),
  instructions: [
    updateCommissionCollector(account.vote, account.authority.address, {
      of: "block revenue",
      to: collector,
    }),
  ],
});

export const handsOver = (account: Account, next: Keypair): Act => ({
  ...by(account, { other: { of: "withdrawAuthority", to: next.address } }),
  instructions: [authorizeWithdrawer(account.vote, account.authority.address, next.address)],
});

export const together = (...acts: Act[]): Act => ({
  instructions: acts.flatMap(({ instructions }) => instructions),
  keys: acts.flatMap(({ keys }) => keys),
  aims: acts.flatMap(({ aims }) => aims),
});

export const versioned = (version: Version, act: Act): Act => ({ ...act, version });

export function createDoer({ ask, faucet }: Pick<Validator, "ask" | "faucet">): Doer {
  const toOrder = ({ keys, ...act }: Act): Order => ({ ...act, keys: [faucet, ...keys] });
  const [deeds, failed]: [Deed[], string[]] = [[], []];
  return {
    deeds,
    failed,
    async carryOut(...acts) {
      const signatures = await sendInTurn(ask, acts.map(toOrder));
      for (const [index, signature] of signatures.entries()) {
        const { slot } = await confirm(ask, signature);
        const told = await readTransaction(signature);
        if (told.slot !== slot)
          throw new Error(`${signature} is told under the slots ${slot} and ${told.slot}`);
        const blockTime = new Date(told.blockTime * 1000).toISOString();
        deeds.push(
          ...(acts[index]?.aims ?? []).map((aim) => ({ ...aim, signature, slot, blockTime })),
        );
      }
    },
    async fail(act) {
      const signature = await send(ask, { ...toOrder(act), isUntried: true });
      const { err } = await waitUntilLanded(ask, signature, ["finalized"]);
      if (err === null) throw new Error(`Transaction ${signature} was to fail, and succeeded`);
      failed.push(signature);
    },
  };

  function readTransaction(signature: string) {
    return waitUntil(`what transaction ${signature} did`, TELL_SECONDS, () =>
      ask("getTransaction", [signature, TRANSACTION_OPTIONS], toldSchema),
    );
  }
}

const TELL_SECONDS = 30;
const toldSchema = z.object({
  slot: z.int(),
  blockTime: z.int(),
  meta: z.object({ err: z.null() }),
});

function by(
  { name, authority }: Account,
  aim: Partial<Pick<Aim, "rates" | "other">>,
): Pick<Act, "keys" | "aims"> {
  return {
    keys: [authority],
    aims: [{ account: name, signer: authority.address, rates: [], other: null, ...aim }],
  };
}
