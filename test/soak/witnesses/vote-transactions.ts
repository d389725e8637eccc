import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import * as programs from "../../cluster/transactions/programs.ts";
import {
  compileMessage,
  type Instruction,
  listLoaded,
  type Lookup,
  readonly,
  signMessage,
  writable,
} from "../../cluster/transactions/message.ts";
import { toInnerGroup } from "../../cluster/rpc/view.ts";
import { once, type Carried, type Deed } from "./chain.ts";
import { keyOf, keypairAt, signerOf } from "./keys.ts";

const MULTISIG_PROGRAM = keyOf("a multisig program");
const TABLE = keyOf("a look-up table");

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

export function carryOut(
  place: Place,
  instructions: readonly Instruction[],
  deeds: readonly Deed[],
): Carried {
  return toCarried(place, { instructions, deeds });
}

/** A program signs for its address: the changes are inner instructions. */
export function carryOutInside(
  place: Place,
  authority: string,
  { changes, deeds }: { changes: readonly Instruction[]; deeds: readonly Deed[] },
): Carried {
  const named = new Set(changes.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
  named.delete(authority);
  const accounts = [...[...named].map(writable), readonly(authority), readonly(VOTE_PROGRAM)];
  const outer = { program: MULTISIG_PROGRAM, accounts, data: Uint8Array.of(1) };
  return toCarried(place, { instructions: [outer], deeds, changes });
}

/** The vote account comes from a look-up table: the message does not name it. */
export function carryOutLookedUp(place: Place, change: Instruction, deed: Deed): Carried {
  const lookups = [{ table: TABLE, writable: [{ place: 0, address: deed.vote }], readonly: [] }];
  return toCarried(place, { instructions: [change], deeds: [deed], lookups });
}

interface Parts {
  instructions: readonly Instruction[];
  deeds: readonly Deed[];
  /** Carried out inside the first instruction. */
  changes?: readonly Instruction[];
  lookups?: readonly Lookup[];
}

/** Of those that look nothing up, every third is of version 1. */
const versionAt = ({ slot, index }: Pick<Place, "slot" | "index">) =>
  (slot + index) % 3 === 0 ? 1 : "legacy";

function toCarried(
  { nonce, failed = false, ...place }: Place,
  { instructions, deeds, changes, lookups }: Parts,
) {
  const payer = signerOf("who pays");
  const version = lookups === undefined ? versionAt(place) : 0;
  const compile = once(() =>
    compileMessage({
      payer,
      instructions,
      blockhash: keyOf(nonce),
      version,
      lookups: lookups ?? [],
    }),
  );
  const named = instructions.flatMap(({ accounts, program }) => [
    ...accounts.map(({ address }) => address),
    program,
  ]);
  const carried: Carried = {
    ...place,
    failed,
    version,
    inner: changes ? [toInnerGroup(0, changes, compile().accounts)] : [],
    loaded: listLoaded(lookups ?? []),
    addresses: [...new Set([payer, ...named])],
    deeds: [...deeds],
    sign: once(() => {
      const keypairs = compile().signers.flatMap((one) => keypairAt(one) ?? []);
      return signMessage(compile(), keypairs);
    }),
  };
  return carried;
}
