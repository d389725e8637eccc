import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import type { ClusterOptions } from "../options.ts";
import type { Random } from "../random.ts";
import { toKeypair, type Keypair } from "../transactions/message.ts";

export interface Key {
  bytes: Uint8Array;
  address: string;
}

/** See `commissions.ts`. */
export type CommissionRole =
  "steady" | "flipper" | "rugger" | "cautioner" | "drifter" | "pointer" | "excessive" | "ambusher";

/** See `authorities.ts`. */
export type AuthorityRole =
  "own" | "shared" | "program" | "successor" | "busy" | "identity" | "settler";

/** See `presence.ts`. */
type LifeRole = "normal" | "vanisher" | "newborn" | "unstaked" | "outsider" | "silent" | "ghost";

/** See `mev-story.ts`. */
export type MevRole = "none" | "fixed" | "rugger" | "cautioner" | "toggler";

/** See `nodes.ts`. */
type NodeRole = "plain" | "mover" | "renamer" | "hidden" | "garbled" | "sixth" | "internal";

/** Older ones stay until an instruction rewrites them. */
export type VoteAccountLayout = "v1.14.11" | "v3" | "v4";

export interface Member {
  /** By stake at the story's start. */
  index: number;
  vote: Key;
  /** The second is for fail-over. */
  identities: readonly [Key, Key];
  staker: Key;
  authority: Part<AuthorityRole>;
  commission: Part<CommissionRole>;
  life: Part<LifeRole>;
  mev: Part<MevRole>;
  node: Part<NodeRole>;
  layout: VoteAccountLayout;
  /** Lamports around which its stake moves. */
  restingStake: bigint;
  /** Share of votes and leader slots that it does not miss. */
  quality: number;
}

/** Once held by mainnet's largest validator; above 2^53. */
const LARGEST_STAKE = 16_395_628_327_252_359n;

const COMMISSION_PARTS: readonly PartSize<CommissionRole>[] = [
  { role: "rugger", share: 0.1, least: 4 },
  { role: "flipper", share: 0.03, least: 1 },
  { role: "cautioner", share: 0.06, least: 1 },
  { role: "drifter", share: 0.08, least: 1 },
  { role: "pointer", share: 0.06, least: 1 },
  { role: "excessive", share: 0.005, least: 1 },
];

/** No poll sees them. */
const HIDDEN_PARTS: readonly PartSize<CommissionRole>[] = [
  { role: "ambusher", share: 0.002, least: 1 },
];

const LIFE_PARTS: readonly PartSize<LifeRole>[] = [
  { role: "vanisher", share: 0.01, least: 1 },
  { role: "newborn", share: 0.01, least: 1 },
  { role: "outsider", share: 0.02, least: 2 },
  { role: "unstaked", share: 0.02, least: 1 },
  { role: "silent", share: 0.01, least: 1 },
  { role: "ghost", share: 0.005, least: 1 },
];

const MEV_PARTS: readonly PartSize<MevRole>[] = [
  { role: "rugger", share: 0.03, least: 2 },
  { role: "toggler", share: 0.03, least: 2 },
  { role: "cautioner", share: 0.03, least: 1 },
  { role: "none", share: 0.22, least: 2 },
];

const NODE_PARTS: readonly PartSize<NodeRole>[] = [
  { role: "mover", share: 0.02, least: 2 },
  { role: "renamer", share: 0.01, least: 2 },
  { role: "hidden", share: 0.01, least: 1 },
  { role: "garbled", share: 0.01, least: 1 },
  { role: "sixth", share: 0.04, least: 1 },
  { role: "internal", share: 0.005, least: 1 },
];

const SHARING_PARTS: readonly PartSize<AuthorityRole>[] = [
  { role: "shared", share: 0.02, least: 2 },
];

const AUTHORITY_PARTS: readonly PartSize<AuthorityRole>[] = [
  { role: "program", share: 0.02, least: 1 },
  { role: "successor", share: 0.01, least: 1 },
  { role: "busy", share: 0.002, least: 1 },
  { role: "identity", share: 0.001, least: 1 },
  { role: "settler", share: 0.004, least: 1 },
];

/** The largest validator plays no part: it anchors ranks and shares. */
export function createCast(
  { network, validators, hiddenFlips }: ClusterOptions,
  random: Random,
): Member[] {
  const candidates = (label: string) =>
    random.order(validators, label).filter((index) => index !== 0);
  const commissionParts =
    hiddenFlips === true ? [...COMMISSION_PARTS, ...HIDDEN_PARTS] : COMMISSION_PARTS;
  const commission = castParts(
    validators,
    candidates("commission part"),
    commissionParts,
    "steady",
  );
  // None is large, or each would look like an incident of the whole cluster.
  const steady = candidates("life part").filter(
    (index) => commission(index).role === "steady" && index >= validators / 4,
  );
  const life = castParts(validators, steady, LIFE_PARTS, "normal");
  const normal = candidates("mev part").filter((index) => life(index).role === "normal");
  const mev = castParts(validators, normal, MEV_PARTS, "fixed");
  const staying = candidates("node part").filter((index) => life(index).role === "normal");
  const node = castParts(validators, staying, NODE_PARTS, "plain");
  const authority = castAuthorities(
    validators,
    candidates("authority part"),
    (index) => commission(index).role,
  );

  const members = Array.from({ length: validators }, (_, index): Member => {
    const key = (label: string) => toKey(random.bytes(label, index));
    return {
      index,
      vote: key("vote account"),
      identities: [
        authority(index).role === "identity" ? identityKeypair(random, index) : key("identity"),
        key("standby identity"),
      ],
      staker: key("staker"),
      authority: authority(index),
      commission: commission(index),
      life: life(index),
      mev:
        network === "alpenglow" || !earnsTips(life(index).role)
          ? { role: "none", place: 0, of: 1 }
          : mev(index),
      node: node(index),
      layout: toLayout(life(index)),
      restingStake: toRestingStake(index, random),
      quality: 0.93 + 0.069 * random.fraction("quality", index),
    };
  });
  return members.map((member) => shareIdentity(member, members));
}

export function identityKeypair(random: Random, index: number): Keypair {
  return toKeypair(random.bytes("identity", index));
}

export function toKey(bytes: Uint8Array): Key {
  return { bytes, address: encodePublicKey(bytes) };
}

function castAuthorities(
  validators: number,
  candidates: readonly number[],
  roleOf: (index: number) => CommissionRole,
): (index: number) => Part<AuthorityRole> {
  const free = candidates.filter((index) =>
    ["cautioner", "drifter", "pointer"].includes(roleOf(index)),
  );
  const sharing = castParts(validators, free, SHARING_PARTS, "own");
  const others = candidates.filter(
    (index) =>
      sharing(index).role === "own" && !["steady", "excessive", "ambusher"].includes(roleOf(index)),
  );
  const alone = castParts(validators, others, AUTHORITY_PARTS, "own");
  return (index) => (sharing(index).role === "shared" ? sharing(index) : alone(index));
}

function earnsTips(life: LifeRole): boolean {
  return life === "normal" || life === "vanisher" || life === "newborn";
}

/** Old layouts have no BLS key: only validators outside the set use them. */
function toLayout({ role, place }: Part<LifeRole>): VoteAccountLayout {
  if (role === "outsider" || role === "unstaked") return place % 2 === 0 ? "v3" : "v1.14.11";
  return role === "ghost" ? "v1.14.11" : "v4";
}

/** A long tail behind one clear leader. */
function toRestingStake(index: number, random: Random): bigint {
  if (index === 0) return LARGEST_STAKE;
  const unevenness = 0.9 + 0.2 * random.fraction("resting stake", index);
  return BigInt(Math.floor((Number(LARGEST_STAKE) * unevenness) / (index + 1) ** 1.05));
}

/**
 * One operator runs two vote accounts under one
 * identity: a monitor that keys by identity loses one.
 */
function shareIdentity(member: Member, members: readonly Member[]): Member {
  const sibling = members[1];
  if (member.life.role !== "unstaked" || member.life.place !== 0 || sibling === undefined)
    return member;
  return { ...member, identities: sibling.identities, node: sibling.node };
}

export interface Part<Role extends string> {
  role: Role;
  place: number;
  of: number;
}

interface PartSize<Role extends string> {
  role: Role;
  share: number;
  least: number;
}

/** A small cluster gets the first parts. */
export function castParts<Role extends string>(
  everyone: number,
  candidates: readonly number[],
  sizes: readonly PartSize<Role>[],
  rest: Role,
): (index: number) => Part<Role> {
  const parts = new Map<number, Part<Role>>();
  let next = 0;
  for (const { role, share, least } of sizes) {
    const players = candidates.slice(next, next + Math.max(least, Math.round(everyone * share)));
    players.forEach((index, place) => parts.set(index, { role, place, of: players.length }));
    next += players.length;
  }
  return (index) => parts.get(index) ?? { role: rest, place: index, of: everyone };
}
