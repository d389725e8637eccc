import type { Moment } from "./calendar.ts";
import type { Member } from "./cast.ts";
import { accumulate } from "./remember.ts";
import type { Outages } from "./outages.ts";
import { bornInOrdinal } from "./lifecycle.ts";
import type { World } from "./world.ts";

/** `[epoch, credits, previousCredits]`, cumulative; `"separator"` stands for three times the largest u64. */
export type CreditsRow = readonly [epoch: number, credits: number, previousCredits: number] | "separator";

/** Most rows getVoteAccounts gives of one account. */
const ROWS_MAX = 5;

/** Most a vote earns (timely vote credits). */
const CREDITS_PER_SLOT = 16;

/** Lamports of stake that earn one lamport of an epoch's vote rewards under Alpenglow. */
const STAKE_PER_REWARD = 5000n;

/** Epochs of credits everyone has behind them when the counting begins. */
const PAST_EPOCHS = 100;

/** Epochs between the migration to Alpenglow and the story's first one; mainnet had none. */
const EPOCHS_SINCE_MIGRATION = { mainnet: null, testnet: 2, alpenglow: 1 } as const;

/** The epoch in which the cluster moved to Alpenglow; null: it has not. */
export function migrationEpochOf({ options }: World): number | null {
  const epochs = EPOCHS_SINCE_MIGRATION[options.network];
  return epochs === null ? null : options.firstEpoch - epochs;
}

/**
 * Counts what votes earn: credits, or lamports from the migration to Alpenglow on. The counter goes on; one separator row
 * stands where the unit changes, inside the epoch of the migration, which has a row on either side of it.
 * @returns the newest rows of a validator at a moment, oldest first
 */
export function createCredits(world: World, outages: Outages): (member: Member, moment: Moment) => CreditsRow[] {
  const { options, calendar, members } = world;
  const { slotsPerEpoch } = calendar.schedule;
  const migrationEpoch = migrationEpochOf(world);
  const countedFrom = options.firstEpoch - ROWS_MAX - 2;

  /** What is earned in an epoch up to a slot, in the units of before and after the migration. */
  function earned(member: Member, epoch: number, slotIndex: number): { tower: number; alpenglow: number } {
    const ordinal = epoch - options.firstEpoch;
    const silent = ordinal < 0 ? 0 : outages.silentSlots(member, ordinal, slotIndex);
    const share = (member.quality * (slotIndex - silent)) / slotsPerEpoch;
    const tower = Math.floor(share * slotsPerEpoch * CREDITS_PER_SLOT);
    const alpenglow = Math.floor(share * Number(member.restingStake / STAKE_PER_REWARD));
    if (migrationEpoch === null || epoch < migrationEpoch) return { tower, alpenglow: 0 };
    if (epoch > migrationEpoch) return { tower: 0, alpenglow };
    return { tower: Math.floor(tower / 2), alpenglow: Math.floor(alpenglow / 2) };
  }

  const startOf = accumulate(
    members.map(({ quality }) => Math.floor(PAST_EPOCHS * slotsPerEpoch * CREDITS_PER_SLOT * quality)),
    (before, index) =>
      members.map((member, at) => {
        const { tower, alpenglow } = earned(member, countedFrom + index, slotsPerEpoch);
        return (before[at] ?? 0) + tower + alpenglow;
      }),
  );

  const atStartOf = (member: Member, epoch: number) => startOf(epoch - countedFrom)[member.index] ?? 0;

  function rowsOf(member: Member, epoch: number, moment: Moment): CreditsRow[] {
    const start = atStartOf(member, epoch);
    if (epoch === migrationEpoch) {
      const { tower, alpenglow } = earned(member, epoch, slotsPerEpoch);
      return [[epoch, start + tower, start], "separator", [epoch, start + tower + alpenglow, start + tower]];
    }
    if (epoch < moment.epoch) return toRow(epoch, atStartOf(member, epoch + 1), start);
    const { tower, alpenglow } = earned(member, epoch, moment.slotIndex);
    return toRow(epoch, start + tower + alpenglow, start);
  }

  return (member, moment) => {
    const birth = bornInOrdinal(member);
    const oldest = Math.max(moment.epoch - ROWS_MAX + 1, birth === null ? 0 : options.firstEpoch + birth);
    const rows: CreditsRow[] = [];
    for (let epoch = oldest; epoch <= moment.epoch; epoch++) rows.push(...rowsOf(member, epoch, moment));
    return rows.slice(-ROWS_MAX);
  };
}

/** An epoch without votes leaves no row. */
function toRow(epoch: number, credits: number, previousCredits: number): CreditsRow[] {
  return credits > previousCredits ? [[epoch, credits, previousCredits]] : [];
}
