import {
  EPOCH_REWARDS_SYSVAR,
  STAKE_HISTORY_SYSVAR,
} from "../../../generator/observe/rewards/sysvars.ts";
import type { Moment } from "../calendar.ts";
import { STAKE_PROGRAM } from "../transactions/programs.ts";
import { remember, type ChainAccount, type World } from "../world.ts";
import type { Member } from "./cast.ts";
import type { CommissionStory } from "./commissions.ts";
import type { CreditsRow } from "./presence.ts";
import { encodeStakeAccount } from "./stake-program.ts";
import {
  countStakeAccounts,
  delegationsOf,
  drawStakeAddress,
  type Delegation,
  type Stakes,
  U64_MAX,
} from "./stakes.ts";

/** What each epoch paid to stake accounts. */
export interface Rewards {
  /** Sysvars and the largest stake accounts; null: none of them. */
  at(address: string, moment: Moment): ChainAccount | null;
  /** To a stake or vote account, for an epoch whose rewards are paid; null: nothing. */
  amountOf(address: string, ordinal: number): bigint | null;
  /** false: blocks still pay the rewards of the epoch before. */
  arePaid(moment: Moment): boolean;
}

interface Story {
  stakes: Stakes;
  commissions: CommissionStory;
  creditsAt: (member: Member, moment: Moment) => CreditsRow[];
}

interface Holder {
  member: Member;
  row: number;
}

/** Blocks that pay the rewards of the epoch before. */
const PAYING_SLOTS = 3;

/** The special ones, and the first, which are the largest. */
const ROWS_KNOWN = 8;

/** Fewer than on mainnet, and more than anybody reads. */
const HISTORY_EPOCHS = 64;

const SYSVAR_OWNER = "Sysvar1111111111111111111111111111111111111";
const CREDITS_OBSERVED_OFFSET = 188;
const RENT_RESERVE = 2_282_880n;
/** Share of the stake that an epoch of 48 hours issues. */
const ISSUED_DIVISOR = 4_000n;
const WHOLE_BASIS_POINTS = 10_000n;

export function createRewards(world: World, { stakes, commissions, creditsAt }: Story): Rewards {
  const { options, calendar, members } = world;
  const counts = countStakeAccounts(options.stakeAccounts, members);
  const holders = remember(() => listHolders(world, counts), 1);
  const holderOf = (address: string) => holders(0).get(address);

  const startOf = (ordinal: number): Moment =>
    calendar.momentOfSlot(calendar.firstSlotOf(options.firstEpoch + ordinal));

  /** Credits at the end of an epoch, and at its begin. */
  function creditsIn(member: Member, ordinal: number): [end: bigint, begin: bigint] {
    const epoch = options.firstEpoch + ordinal;
    const row = creditsAt(member, startOf(ordinal + 1)).find(
      (one) => one !== "separator" && one[0] === epoch,
    );
    return row === undefined || row === "separator" ? [0n, 0n] : [BigInt(row[1]), BigInt(row[2])];
  }

  const totalsOf = remember((ordinal) => {
    const totalPoints = members.reduce((sum, member) => {
      const [end, begin] = creditsIn(member, ordinal);
      return sum + stakes.of(member, ordinal).active * (end - begin);
    }, 0n);
    return { totalPoints, totalRewards: stakes.totalOf(ordinal) / ISSUED_DIVISOR };
  });

  /** The state before the first transaction of the epoch before (Agave 4.2). */
  function commissionPaid(member: Member, ordinal: number): bigint {
    const decisive = stakes.isInSet(member, ordinal)
      ? ordinal - 2
      : stakes.isInSet(member, ordinal + 1)
        ? ordinal - 1
        : ordinal;
    const basisPoints = commissions.basisPointsIn(
      member,
      decisive,
      1 - 1 / (2 * options.slotsPerEpoch),
    );
    return BigInt(Math.min(basisPoints, Number(WHOLE_BASIS_POINTS)));
  }

  function delegationOf({ member, row }: Holder, ordinal: number) {
    const epoch = options.firstEpoch + ordinal;
    const count = counts[member.index] ?? 0;
    const delegations = delegationsOf(member, epoch, stakes.of(member, ordinal), count);
    return delegations.drop(row).next().value as Delegation;
  }

  /** What was added to a stake of the epoch after: it is part of it. */
  function paidInto(stake: bigint, member: Member, ordinal: number): bigint | null {
    const { totalPoints, totalRewards } = totalsOf(ordinal);
    const [end, begin] = creditsIn(member, ordinal);
    const kept = commissionPaid(member, ordinal);
    if (totalPoints === 0n) return null;
    let amount = 0n;
    for (let round = 0; round < 8; round += 1) {
      const reward = ((stake - amount) * (end - begin) * totalRewards) / totalPoints;
      amount = (reward * (WHOLE_BASIS_POINTS - kept)) / WHOLE_BASIS_POINTS;
    }
    return amount === 0n ? null : amount;
  }

  function keptBy(member: Member, ordinal: number): bigint | null {
    const { totalPoints, totalRewards } = totalsOf(ordinal);
    const [end, begin] = creditsIn(member, ordinal);
    if (totalPoints === 0n) return null;
    const { active } = stakes.of(member, ordinal);
    const reward = (active * (end - begin) * totalRewards) / totalPoints;
    const kept = (reward * commissionPaid(member, ordinal)) / WHOLE_BASIS_POINTS;
    return kept === 0n ? null : kept;
  }

  function amountOf(address: string, ordinal: number): bigint | null {
    const voter = members.find(({ vote }) => vote.address === address);
    if (voter !== undefined) return keptBy(voter, ordinal);
    const holder = holderOf(address);
    if (holder === undefined) return null;
    const { stake, activationEpoch, deactivationEpoch } = delegationOf(holder, ordinal + 1);
    const epoch = BigInt(options.firstEpoch + ordinal);
    const isActive = activationEpoch < epoch || activationEpoch === U64_MAX;
    if (deactivationEpoch < epoch || !isActive) return null;
    return paidInto(stake, holder.member, ordinal);
  }

  function stakeAccount(holder: Holder, moment: Moment): ChainAccount {
    const delegation = delegationOf(holder, moment.ordinal);
    const data = encodeStakeAccount(holder.member.vote.bytes, delegation);
    const paidThrough = arePaid(moment) ? moment.ordinal - 1 : moment.ordinal - 2;
    data.writeBigUInt64LE(creditsIn(holder.member, paidThrough)[0], CREDITS_OBSERVED_OFFSET);
    return { owner: STAKE_PROGRAM, lamports: delegation.stake + RENT_RESERVE, data };
  }

  function epochRewards(moment: Moment): ChainAccount {
    const { totalPoints, totalRewards } = totalsOf(moment.ordinal - 1);
    const data = Buffer.alloc(81);
    data.writeBigUInt64LE(totalPoints & (2n ** 64n - 1n), 48);
    data.writeBigUInt64LE(totalPoints >> 64n, 56);
    data.writeBigUInt64LE(totalRewards, 64);
    data.writeBigUInt64LE(arePaid(moment) ? totalRewards : 0n, 72);
    data.writeUInt8(arePaid(moment) ? 0 : 1, 80);
    return { owner: SYSVAR_OWNER, lamports: 1n, data };
  }

  function stakeHistory({ ordinal }: Moment): ChainAccount {
    const kept = Math.min(ordinal, HISTORY_EPOCHS);
    const data = Buffer.alloc(8 + kept * 32);
    data.writeBigUInt64LE(BigInt(kept), 0);
    for (let age = 1; age <= kept; age += 1) {
      const at = 8 + (age - 1) * 32;
      const closed = ordinal - age;
      const activating = members.reduce(
        (sum, member) => sum + stakes.of(member, closed).activating,
        0n,
      );
      data.writeBigUInt64LE(BigInt(options.firstEpoch + closed), at);
      data.writeBigUInt64LE(stakes.totalOf(closed), at + 8);
      data.writeBigUInt64LE(activating, at + 16);
    }
    return { owner: SYSVAR_OWNER, lamports: 1n, data };
  }

  const arePaid = ({ slotIndex }: Moment) => slotIndex >= PAYING_SLOTS;

  return {
    at(address, moment) {
      if (address === EPOCH_REWARDS_SYSVAR) return epochRewards(moment);
      if (address === STAKE_HISTORY_SYSVAR) return stakeHistory(moment);
      const holder = holderOf(address);
      return holder === undefined ? null : stakeAccount(holder, moment);
    },
    amountOf,
    arePaid,
  };
}

/** The largest stake accounts of all, by address. */
function listHolders({ members, random }: World, counts: readonly number[]): Map<string, Holder> {
  const holders = new Map<string, Holder>();
  for (const member of members)
    for (let row = 0; row < Math.min(ROWS_KNOWN, counts[member.index] ?? 0); row += 1)
      holders.set(drawStakeAddress(random, member, row), { member, row });
  return holders;
}
