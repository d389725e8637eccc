import type { ChainAccount } from "./chain-account.ts";
import type { Moment } from "./calendar.ts";
import type { Member } from "./cast.ts";
import {
  encodeDistributionAccount,
  PRIORITY_FEE_PROGRAMS,
  TIP_PROGRAMS,
  toDistributionAddress,
  type DistributionProgram,
} from "./distribution-accounts.ts";
import { NOTHING_SHARED_BASIS_POINTS, type MevStory } from "./mev-story.ts";
import { remember } from "./remember.ts";
import type { World } from "./world.ts";

/** The accounts of the MEV story on chain: tips, and priority fees of those who share them. */
export interface MevAccounts {
  /** @returns null when there is no such account */
  at(address: string, moment: Moment): ChainAccount | null;
}

/** Accounts of the running epoch and of so many before it are on chain. */
const EPOCHS_KEPT = 3;

/** Fraction of the next epoch after which what came in over a closed one is counted. */
const COUNTED = 0.05;

interface Place {
  member: Member;
  program: DistributionProgram;
  basisPoints: number;
}

/** Builds the accounts; the addresses of an epoch are derived when one of them is first asked for. */
export function createMevAccounts({ options, random, members }: World, mev: MevStory): MevAccounts {
  const tips = TIP_PROGRAMS[options.network];
  const fees = PRIORITY_FEE_PROGRAMS[options.network];

  const placesByAddress = remember((ordinal) => {
    const byAddress = new Map<string, Place>();
    for (const place of members.flatMap((member) => placesOf(member, ordinal)))
      byAddress.set(toDistributionAddress(place.member.vote, options.firstEpoch + ordinal, place.program), place);
    return byAddress;
  });

  function placesOf(member: Member, ordinal: number): Place[] {
    const basisPoints = mev.basisPointsOf(member, ordinal);
    if (tips === null || basisPoints === null) return [];
    const shared = mev.priorityFeeBasisPointsOf(member);
    const place = { member, program: tips, basisPoints };
    if (fees === null || shared === NOTHING_SHARED_BASIS_POINTS) return [place];
    return [place, { member, program: fees, basisPoints: shared }];
  }

  function toAccount({ member, program, basisPoints }: Place, ordinal: number, moment: Moment): ChainAccount {
    const counted = moment.position >= ordinal + 1 + COUNTED;
    const data = encodeDistributionAccount(program, {
      vote: member.vote,
      uploader: member.identities[0],
      epoch: options.firstEpoch + ordinal,
      basisPoints,
      merkleRoot: counted
        ? {
            root: random.bytes("tips", member.index, ordinal),
            totalLamports: mev.rewardsOf(member, ordinal),
            claims: 100,
          }
        : null,
    });
    return { owner: program.address, lamports: 2_060_160n, data };
  }

  return {
    at(address, moment) {
      for (let ordinal = moment.ordinal; ordinal >= moment.ordinal - EPOCHS_KEPT; ordinal--) {
        const place = placesByAddress(ordinal).get(address);
        if (place === undefined) continue;
        return mev.isCreated(place.member, ordinal, moment) ? toAccount(place, ordinal, moment) : null;
      }
      return null;
    },
  };
}
