import { encodePublicKey } from "../../../../generator/chain/public-key.ts";
import type { ClusterOptions } from "../options.ts";
import type { Random } from "../random.ts";
import { toKeypair, type Keypair } from "../transactions/message.ts";

/** A key as bytes and as Base58. */
export interface Key {
  bytes: Uint8Array;
  address: string;
}

/** How a validator handles its inflation commission; see commission-story.ts. */
export type CommissionRole =
  "steady" | "flipper" | "rugger" | "cautioner" | "drifter" | "pointer" | "excessive" | "ambusher";

/** Who signs for a vote account; see authorities.ts. */
export type AuthorityRole = "own" | "shared" | "program" | "successor" | "busy" | "identity" | "settler";

/** How a validator exists; see lifecycle.ts. */
export type LifeRole = "normal" | "vanisher" | "newborn" | "unstaked" | "outsider" | "silent" | "ghost";

/** How a validator handles its MEV commission; see mev-story.ts. */
export type MevRole = "none" | "fixed" | "rugger" | "cautioner" | "toggler";

/** What is odd about a validator's node; see node-story.ts. */
export type NodeRole = "plain" | "mover" | "renamer" | "hidden" | "garbled" | "sixth" | "internal";

/** Layout of a vote account on chain: older ones stay until an instruction rewrites them. */
export type VoteAccountLayout = "v1.14.11" | "v3" | "v4";

/** One validator of the story: what never changes about it. */
export interface Member {
  /** From 0, by stake at the story's start. */
  index: number;
  vote: Key;
  /** The identity it runs with and the one it fails over to. */
  identities: readonly [Key, Key];
  /** Owner of the stake that is delegated to it. */
  staker: Key;
  authority: Part<AuthorityRole>;
  commission: Part<CommissionRole>;
  life: Part<LifeRole>;
  mev: Part<MevRole>;
  node: Part<NodeRole>;
  layout: VoteAccountLayout;
  /** Lamports around which its stake moves. */
  restingStake: bigint;
  /** Share of the votes and of the leader slots it does not miss. */
  quality: number;
}

/** The largest validator of mainnet once held so many lamports: above 2^53. */
const LARGEST_STAKE = 16_395_628_327_252_359n;

const COMMISSION_PARTS: readonly PartSize<CommissionRole>[] = [
  { role: "rugger", share: 0.1, least: 4 },
  { role: "flipper", share: 0.03, least: 1 },
  { role: "cautioner", share: 0.06, least: 1 },
  { role: "drifter", share: 0.08, least: 1 },
  { role: "pointer", share: 0.06, least: 1 },
  { role: "excessive", share: 0.005, least: 1 },
];

/** Only where a story is asked for it: no poll sees what they do. */
const HIDDEN_PARTS: readonly PartSize<CommissionRole>[] = [{ role: "ambusher", share: 0.002, least: 1 }];

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

/** Of those who change their commission at times of their own choice, who leaves that to one operator. */
const SHARING_PARTS: readonly PartSize<AuthorityRole>[] = [{ role: "shared", share: 0.02, least: 2 }];

/** Of the others who change it. */
const AUTHORITY_PARTS: readonly PartSize<AuthorityRole>[] = [
  { role: "program", share: 0.02, least: 1 },
  { role: "successor", share: 0.01, least: 1 },
  { role: "busy", share: 0.002, least: 1 },
  { role: "identity", share: 0.001, least: 1 },
  { role: "settler", share: 0.004, least: 1 },
];

/** Who plays in the story. The largest validator is an ordinary one: it anchors ranks and shares. */
export function createCast({ network, validators, hiddenFlips }: ClusterOptions, random: Random): Member[] {
  const candidates = (label: string) => random.order(validators, label).filter((index) => index !== 0);
  const commissionParts = hiddenFlips === true ? [...COMMISSION_PARTS, ...HIDDEN_PARTS] : COMMISSION_PARTS;
  const commission = castParts(validators, candidates("commission part"), commissionParts, "steady");
  // Whoever comes, goes or never votes is not large: else each of them would be an incident of the whole cluster.
  const steady = candidates("life part").filter(
    (index) => commission(index).role === "steady" && index >= validators / 4,
  );
  const life = castParts(validators, steady, LIFE_PARTS, "normal");
  const normal = candidates("mev part").filter((index) => life(index).role === "normal");
  const mev = castParts(validators, normal, MEV_PARTS, "fixed");
  const staying = candidates("node part").filter((index) => life(index).role === "normal");
  const node = castParts(validators, staying, NODE_PARTS, "plain");
  const authority = castAuthorities(validators, candidates("authority part"), (index) => commission(index).role);

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
      mev: network === "alpenglow" || !earnsTips(life(index).role) ? { role: "none", place: 0, of: 1 } : mev(index),
      node: node(index),
      layout: toLayout(life(index)),
      restingStake: toRestingStake(index, random),
      quality: 0.93 + 0.069 * random.fraction("quality", index),
    };
  });
  return members.map((member) => shareIdentity(member, members));
}

/** The identity of one that signs with it. */
export function identityKeypair(random: Random, index: number): Keypair {
  return toKeypair(random.bytes("identity", index));
}

/** A key from 32 bytes. */
export function toKey(bytes: Uint8Array): Key {
  return { bytes, address: encodePublicKey(bytes) };
}

/** Whoever never changes a commission signs nothing, with a key of its own. */
function castAuthorities(
  validators: number,
  candidates: readonly number[],
  roleOf: (index: number) => CommissionRole,
): (index: number) => Part<AuthorityRole> {
  const free = candidates.filter((index) => ["cautioner", "drifter", "pointer"].includes(roleOf(index)));
  const sharing = castParts(validators, free, SHARING_PARTS, "own");
  const others = candidates.filter(
    (index) => sharing(index).role === "own" && !["steady", "excessive", "ambusher"].includes(roleOf(index)),
  );
  const alone = castParts(validators, others, AUTHORITY_PARTS, "own");
  return (index) => (sharing(index).role === "shared" ? sharing(index) : alone(index));
}

/** Only who leads slots creates tip accounts. */
function earnsTips(life: LifeRole): boolean {
  return life === "normal" || life === "vanisher" || life === "newborn";
}

/** Old layouts have no BLS key, so only validators outside the set still have them. */
function toLayout({ role, place }: Part<LifeRole>): VoteAccountLayout {
  if (role === "outsider" || role === "unstaked") return place % 2 === 0 ? "v3" : "v1.14.11";
  return role === "ghost" ? "v1.14.11" : "v4";
}

/** A long tail, a little uneven, behind one that is well ahead. */
function toRestingStake(index: number, random: Random): bigint {
  if (index === 0) return LARGEST_STAKE;
  const unevenness = 0.9 + 0.2 * random.fraction("resting stake", index);
  return BigInt(Math.floor((Number(LARGEST_STAKE) * unevenness) / (index + 1) ** 1.05));
}

/** One operator runs two vote accounts under one identity: whoever keys by identity loses one of them. */
function shareIdentity(member: Member, members: readonly Member[]): Member {
  const sibling = members[1];
  if (member.life.role !== "unstaked" || member.life.place !== 0 || sibling === undefined) return member;
  return { ...member, identities: sibling.identities, node: sibling.node };
}

/** A part in the story, and which of how many players of that part someone is. */
export interface Part<Role extends string> {
  role: Role;
  /** From 0. */
  place: number;
  /** Players of the same role. */
  of: number;
}

/** How many of a part there are: a share of all validators, but at least so many. */
interface PartSize<Role extends string> {
  role: Role;
  share: number;
  least: number;
}

/**
 * Hands out parts to the candidates in their order, until the parts or the candidates are used up; whoever is left plays
 * `rest`. The parts named first are the ones a small cluster still has.
 * @param everyone number of validators the shares refer to
 */
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
