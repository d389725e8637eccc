import type { Moment } from "../calendar.ts";
import type { CommissionRole, Member } from "./cast.ts";
import { operatorOf } from "./authorities.ts";
import { accumulate, remember, type World } from "../world.ts";

export interface CommissionChange {
  member: Member;
  ordinal: number;
  slotIndex: number;
  fromBasisPoints: number;
  toBasisPoints: number;
}

export interface CommissionStory {
  /** May exceed 10000. */
  basisPointsAt(member: Member, moment: Pick<Moment, "ordinal" | "slotIndex">): number;
  /** `ordinal` is negative before the story. */
  basisPointsIn(member: Member, ordinal: number, fraction: number): number;
  changesOf(ordinal: number): readonly CommissionChange[];
}

const RESTING_BASIS_POINTS = [500, 0, 500, 800, 1000, 500, 700, 0, 300, 10_000, 500, 600];

export function createCommissionStory(world: World): CommissionStory {
  const { calendar, members } = world;
  const scriptOf = (member: Member, ordinal: number) =>
    SCRIPTS[member.commission.role](member, ordinal, world).toSorted(
      (left, right) => left.fraction - right.fraction,
    );

  const startOf = accumulate(members.map(toRestingBasisPoints), (before, ordinal) =>
    members.map(
      (member, index) => scriptOf(member, ordinal).at(-1)?.basisPoints ?? before[index] ?? 0,
    ),
  );

  const changesOf = remember((ordinal) => {
    const changes = members.flatMap((member) => {
      let fromBasisPoints = startOf(ordinal)[member.index] ?? 0;
      return scriptOf(member, ordinal).flatMap(({ fraction, basisPoints }): CommissionChange[] => {
        if (basisPoints === fromBasisPoints) return [];
        const change = {
          member,
          ordinal,
          slotIndex: calendar.slotIndexAt(fraction),
          fromBasisPoints,
        };
        fromBasisPoints = basisPoints;
        return [{ ...change, toBasisPoints: basisPoints }];
      });
    });
    return changes.sort(
      (left, right) => left.slotIndex - right.slotIndex || left.member.index - right.member.index,
    );
  });

  const changesByMember = remember((ordinal) =>
    Map.groupBy(changesOf(ordinal), (change) => change.member.index),
  );

  function basisPointsAt(
    member: Member,
    { ordinal, slotIndex }: Pick<Moment, "ordinal" | "slotIndex">,
  ): number {
    const changes = changesByMember(ordinal).get(member.index) ?? [];
    const newest = changes.findLast((change) => change.slotIndex <= slotIndex);
    return newest?.toBasisPoints ?? startOf(ordinal)[member.index] ?? 0;
  }

  function basisPointsIn(member: Member, ordinal: number, fraction: number): number {
    const slotIndex = calendar.slotIndexAt(fraction);
    if (ordinal >= 0) return basisPointsAt(member, { ordinal, slotIndex });
    const step = scriptOf(member, ordinal).findLast((one) => one.fraction <= fraction);
    return (
      (step ?? scriptOf(member, ordinal - 1).at(-1))?.basisPoints ?? toRestingBasisPoints(member)
    );
  }

  return { basisPointsAt, basisPointsIn, changesOf };
}

function toRestingBasisPoints({ index, commission }: Member): number {
  if (commission.role === "flipper") return 0;
  if (commission.role === "ambusher") return 300;
  if (commission.role === "pointer") return commission.place % 2 === 0 ? 750 : 425;
  if (commission.role === "excessive") return 15_000;
  const resting = RESTING_BASIS_POINTS[index % RESTING_BASIS_POINTS.length] ?? 500;
  return commission.role === "steady" ? resting : Math.min(resting, 1000);
}

/** Under a second: the readings around a boundary are two seconds apart. */
const AMBUSH_SLOTS = 3;

type Script = (member: Member, ordinal: number, world: World) => Step[];

const SCRIPTS: Record<CommissionRole, Script> = {
  steady: () => [],
  excessive: () => [],
  rugger: (member, ordinal, world) =>
    toRugSteps(member, ordinal, world, toRestingBasisPoints(member)),

  flipper(member, ordinal, world) {
    const { random } = world;
    const back = {
      fraction: 0.006 + 0.01 * random.fraction("flip back", member.index),
      basisPoints: 0,
    };
    const flip = {
      fraction: 0.975 + 0.012 * random.fraction("flip", member.index, ordinal),
      basisPoints: 10_000,
    };
    return isTempted(world, ordinal, member.index) ? [back, flip] : [back];
  },

  /** The rate at the epoch's end pays. */
  ambusher(member, ordinal, world) {
    const back = { fraction: 0, basisPoints: 300 };
    const fraction = 1 - (AMBUSH_SLOTS - 0.5) / world.calendar.schedule.slotsPerEpoch;
    return isTempted(world, ordinal, member.index)
      ? [back, { fraction, basisPoints: 10_000 }]
      : [back];
  },

  cautioner(member, ordinal, { random }) {
    const rise = 1000 + 500 * random.whole(7, "caution", member.index, ordinal);
    const raised = isTurn(member, ordinal, 2) ? rise : 0;
    return [
      {
        fraction: anywhere(member, ordinal, random),
        basisPoints: toRestingBasisPoints(member) + raised,
      },
    ];
  },

  drifter(member, ordinal, { random }) {
    const drift = [200, 0, 900, 400][(ordinal + member.commission.place) % 4] ?? 0;
    return [
      {
        fraction: anywhere(member, ordinal, random),
        basisPoints: toRestingBasisPoints(member) + drift,
      },
    ];
  },

  pointer(member, ordinal, { random }) {
    const raised = isTurn(member, ordinal, 2) ? 75 : 0;
    return [
      {
        fraction: anywhere(member, ordinal, random),
        basisPoints: toRestingBasisPoints(member) + raised,
      },
    ];
  },
};

function isTurn({ commission }: Member, ordinal: number, period: number): boolean {
  return (ordinal + commission.place) % period === 0;
}

/** An operator changes all its accounts in one slot. */
function anywhere(member: Member, ordinal: number, random: World["random"]): number {
  const operator = operatorOf(member);
  if (operator !== null) return 0.05 + 0.88 * random.fraction("when", operator, ordinal, 0);
  return 0.05 + 0.88 * random.fraction("when", member.index, ordinal);
}

export interface Step {
  fraction: number;
  basisPoints: number;
}

function isTempted({ random, options }: World, ordinal: number, who: number): boolean {
  if (options.unevenRugs !== true) return true;
  return random.fraction("tempted", who, ordinal) < random.fraction("temptation", ordinal) ** 1.5;
}

/** One a quarter: there is always a recent one. */
const RUGS_PER_EPOCH = 4;

const RECOVERY_EPOCHS_MAX = 3;

/** All, exactly the limit, all, just above the limit, more than the runtime applies. */
const RUG_BASIS_POINTS = [10_000, 9000, 10_000, 9550, 15_000];

/**
 * Ruggers take turns and recover halfway to the next: even a small pool has someone left to raise.
 */
function toRugSteps(
  member: Member,
  ordinal: number,
  world: World,
  restingBasisPoints: number,
): Step[] {
  const { random } = world;
  const pool = member.commission.of;
  const recoveryEpochs = Math.min(pool / RUGS_PER_EPOCH / 2, RECOVERY_EPOCHS_MAX);
  const steps: Step[] = [];
  for (let past = Math.max(ordinal - RECOVERY_EPOCHS_MAX - 1, 0); past <= ordinal; past++) {
    for (let quarter = 0; quarter < RUGS_PER_EPOCH; quarter++) {
      const turn = past * RUGS_PER_EPOCH + quarter;
      if (turn % pool !== member.commission.place || !isTempted(world, past, turn)) continue;
      const position = past + (quarter + 0.2 + 0.5 * random.fraction("rug", turn)) / RUGS_PER_EPOCH;
      const basisPoints = RUG_BASIS_POINTS[turn % RUG_BASIS_POINTS.length] ?? 10_000;
      steps.push({ fraction: position - ordinal, basisPoints });
      steps.push({
        fraction: position + recoveryEpochs - ordinal,
        basisPoints: restingBasisPoints,
      });
    }
  }
  return steps.filter(({ fraction }) => fraction >= 0 && fraction < 1);
}
