import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import * as programs from "../../cluster/transactions/programs.ts";
import {
  type Failure,
  type Instruction,
  type LookupTable,
  readonly,
  writable,
} from "../../cluster/transactions/message.ts";
import type { ChainOrder, Deed } from "./chain.ts";
import { keyOf, keypairAt, signingKeyOf } from "./keys.ts";

const MULTISIG_PROGRAM = keyOf("a multisig program");
const TABLE = keyOf("a look-up table");
const PAYER = signingKeyOf("who pays");

/** Where an order is in the chain. */
export interface Place {
  slot: number;
  index: number;
  /** Seconds since 1970. */
  blockTime: number;
  /** Distinguishes equal transactions. */
  nonce: string;
  failed?: boolean;
}

export function setRate(
  vote: string,
  authority: string,
  rate: number,
  isInPercent: boolean,
): Instruction {
  return isInPercent
    ? programs.updateCommission(vote, authority, rate / 100)
    : programs.updateCommissionBasisPoints(vote, authority, rate);
}

/** Signed by whoever its instructions name as a signer. */
export function orderOf(
  place: Place,
  instructions: readonly Instruction[],
  deeds: readonly Deed[],
): ChainOrder {
  return toOrder(place, { instructions, deeds });
}

/** A program signs for its address: the changes are inner instructions. */
export function orderInside(
  place: Place,
  authority: string,
  { changes, deeds }: { changes: readonly Instruction[]; deeds: readonly Deed[] },
): ChainOrder {
  const named = new Set(changes.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
  named.delete(authority);
  const accounts = [...[...named].map(writable), readonly(authority), readonly(VOTE_PROGRAM)];
  const outer = { program: MULTISIG_PROGRAM, accounts, data: Uint8Array.of(1) };
  return toOrder(place, { instructions: [outer], deeds, changes });
}

/** The vote account comes from a look-up table: the message does not name it. */
export function orderLookedUp(place: Place, change: Instruction, deed: Deed): ChainOrder {
  const table = { address: TABLE, listed: [deed.vote] };
  return toOrder(place, { instructions: [change], deeds: [deed], table });
}

interface Parts {
  instructions: readonly Instruction[];
  deeds: readonly Deed[];
  /** Carried out inside the first instruction. */
  changes?: readonly Instruction[];
  table?: LookupTable;
}

/** Of those that look nothing up, every third is of version 1. */
const versionAt = ({ slot, index }: Pick<Place, "slot" | "index">) =>
  (slot + index) % 3 === 0 ? 1 : "legacy";

/** As a node tells of one that failed. */
export const FAILED: Failure = { InstructionError: [0, "MissingRequiredSignature"] };

function toOrder(
  { failed = false, ...place }: Place,
  { instructions, deeds, changes, table }: Parts,
): ChainOrder {
  const signers = instructions.flatMap(({ accounts }) =>
    accounts.flatMap(({ address, isSigner }) => (isSigner ? (keypairAt(address) ?? []) : [])),
  );
  return {
    ...place,
    payer: PAYER,
    keypairs: [PAYER, ...signers],
    instructions,
    version: table === undefined ? versionAt(place) : 0,
    table: table ?? null,
    config: null,
    failure: failed ? FAILED : null,
    inner: changes === undefined ? null : { place: 0, instructions: changes },
    deeds,
  };
}
