import { toKey, type Member } from "../chain/cast.ts";
import {
  toKeypair,
  type Keypair,
  readonly,
  signer,
  writable,
  type Instruction,
  type LookupTable,
  type Order,
} from "./message.ts";
import type { TransactionConfig } from "./message-layout.ts";
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
  transfer,
  MULTISIG_PROGRAM,
} from "./programs.ts";
import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import type { World } from "../world.ts";
import { planEpoch, type Plan, type PlanStories } from "./commission-plans.ts";

/** Drawn per transaction, the first per payer. */
const PAID_BY_ANOTHER = 0.5;
const WITH_BUDGET = 0.5;
const VERSIONED = 0.35;
const LOOKED_UP = 0.12;
const OF_VERSION_1 = 0.2;

const COMPUTE_UNITS = 20_000;
const LOADED_ACCOUNTS_BYTES = 65_536;
const HEAP_BYTES = 65_536;

const TOO_MANY_LAMPORTS = 10n ** 18n;
const INSUFFICIENT_FUNDS = { Custom: 1 };

/** Hash of the multisig's execute instruction. */
const EXECUTE = Uint8Array.of(194, 8, 161, 87, 153, 164, 25, 171);

export function createCommissionOrders(
  world: World,
  stories: PlanStories,
): (ordinal: number) => Order[] {
  const { random, calendar, options } = world;
  const payers = new Map<number, Keypair>();

  function payerOf(member: Member): Keypair {
    const payer = payers.get(member.index) ?? toKeypair(random.bytes("payer", member.index));
    payers.set(member.index, payer);
    return payer;
  }

  function toOrder(plan: Plan, index: number): Order {
    const { member, ordinal, slotIndex, authority, rank } = plan;
    const draw = (label: string) => random.fraction(label, member.index, ordinal, slotIndex, rank);
    const isPaidByAnother = random.fraction("pays", member.index) < PAID_BY_ANOTHER;
    const payer =
      authority.keypair === null || isPaidByAnother ? payerOf(member) : authority.keypair;
    const hasBudget = draw("budget") < WITH_BUDGET;
    const versionDraw = draw("version");
    const version = versionDraw >= 1 - OF_VERSION_1 ? 1 : versionDraw < VERSIONED ? 0 : "legacy";
    const isBudgeted = hasBudget && version !== 1;
    const budget = isBudgeted
      ? [setComputeUnitLimit(COMPUTE_UNITS), setComputeUnitPrice(1000n)]
      : [];
    return {
      slot: calendar.firstSlotOf(options.firstEpoch + ordinal) + slotIndex,
      index,
      payer,
      keypairs: authority.keypair === null ? [payer] : [payer, authority.keypair],
      version,
      table: versionDraw < LOOKED_UP ? toTable(plan) : null,
      config: version === 1 ? toConfig({ isRich: hasBudget }) : null,
      ...carryOut(plan, payer.address, budget),
    };
  }

  function carryOut(
    plan: Plan,
    payer: string,
    budget: Instruction[],
  ): Pick<Order, "instructions" | "inner" | "failure"> {
    const { authority, member, fails } = plan;
    const multisig = toKey(random.bytes("multisig", member.index)).address;
    const own =
      authority.keypair === null
        ? [execute(plan.instructions, multisig, payer)]
        : plan.instructions;
    const inner =
      authority.keypair === null ? { place: budget.length, instructions: plan.instructions } : null;
    if (!fails) return { instructions: [...budget, ...own], inner, failure: null };
    const tooMuch = transfer({ from: payer, to: member.vote.address, lamports: TOO_MANY_LAMPORTS });
    const instructions = [...budget, ...own, tooMuch];
    return {
      instructions,
      inner,
      failure: { InstructionError: [instructions.length - 1, INSUFFICIENT_FUNDS] },
    };
  }

  function toTable({ member, instructions }: Plan): LookupTable {
    const strangers = [0, 1].map((place) => toKey(random.bytes("listed", place)).address);
    const votes = instructions.flatMap(({ accounts: [vote] }) => vote?.address ?? []);
    return {
      address: toKey(random.bytes("table", member.index)).address,
      listed: [...strangers, ...new Set(votes)],
    };
  }

  return (ordinal) => {
    const inSlot = new Map<number, number>();
    return planEpoch(world, stories, ordinal).map((plan) => {
      const before = inSlot.get(plan.slotIndex) ?? 0;
      inSlot.set(plan.slotIndex, before + 1);
      return toOrder(plan, 1 + before);
    });
  };
}

/** Carries the budget without instructions. */
function toConfig({ isRich }: { isRich: boolean }): TransactionConfig {
  const needed = { computeUnitLimit: COMPUTE_UNITS, loadedAccountsBytes: LOADED_ACCOUNTS_BYTES };
  return isRich ? { ...needed, priorityFeeLamports: 5_000n, heapBytes: HEAP_BYTES } : needed;
}

/** Only the program signs for the account it acts for. */
function execute(
  instructions: readonly Instruction[],
  multisig: string,
  payer: string,
): Instruction {
  const accounts = instructions
    .flatMap((instruction) => instruction.accounts)
    .map((account) => ({ ...account, isSigner: false }));
  return {
    program: MULTISIG_PROGRAM,
    accounts: [writable(multisig), signer(payer), ...accounts, readonly(VOTE_PROGRAM)],
    data: EXECUTE,
  };
}
