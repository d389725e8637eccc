import type { Moment } from "./calendar.ts";
import type { Key, Member } from "./cast.ts";
import { clientOf } from "./clients.ts";
import { exists } from "./lifecycle.ts";
import { remember } from "./remember.ts";
import { SITES, UNKNOWN_SITE, toIpv4, toIpv6 } from "./sites.ts";
import { isWithin, toWindow, type Length, type Window } from "./windows.ts";
import type { World } from "./world.ts";

/** A validator's node as gossip shows it. */
export interface NodeState {
  member: Member;
  identity: string;
  ip: string;
  version: string;
}

export interface NodeStory {
  /** The identity a validator runs with. */
  identityAt(member: Member, moment: Moment): Key;
  /** null: gossip does not show the node now. */
  nodeAt(member: Member, moment: Moment): NodeState | null;
  /** Whose nodes are missing from gossip for a while in an epoch. */
  gapsOf(ordinal: number): readonly { member: Member; window: Window }[];
}

const GAP: Length = { epochs: 0.03, leastMilliseconds: 15 * 60_000 };

/** Epochs between two upgrades of a node. */
const UPGRADE_PERIOD = 3;

/** When in an epoch the garbled ones send a version nobody can read. */
const GARBLED_FRACTIONS = [0.4, 0.6] as const;

/** Every so many-th node stands where no database looks. */
const UNLOCATED_PERIOD = 17;

/** Builds the story of the nodes: they move, change identity, upgrade, and drop out of gossip. */
export function createNodeStory({ members, random, calendar }: World): NodeStory {
  const gaps = Math.max(2, Math.round(members.length * 0.03));

  const gapsOf = remember((ordinal) =>
    Array.from({ length: gaps }, (_, turn) => {
      const member = members[random.whole(members.length, "gap", ordinal, turn)];
      const fraction = 0.05 + 0.85 * random.fraction("gap from", ordinal, turn);
      return member === undefined ? [] : [{ member, window: toWindow(calendar, fraction, GAP) }];
    }).flat(),
  );

  function identityAt(member: Member, { position }: Moment): Key {
    const { role, place } = member.node;
    // From one identity to the other and back, two epochs each, the first time soon.
    const changes = role === "renamer" ? Math.floor((position + 1.3 - 0.1 * (place % 4)) / 2) : 0;
    return member.identities[changes % 2 === 0 ? 0 : 1];
  }

  function versionAt(member: Member, { position, ordinal, slotIndex }: Moment): string {
    const [from, to] = GARBLED_FRACTIONS;
    const garbled = slotIndex >= calendar.slotIndexAt(from) && slotIndex < calendar.slotIndexAt(to);
    if (member.node.role === "garbled" && garbled) return ordinal % 2 === 0 ? "unknown" : "4.2";
    const phase = UPGRADE_PERIOD * random.fraction("upgrade", member.index);
    return clientOf(member).version(Math.floor((position + phase) / UPGRADE_PERIOD));
  }

  function ipAt(member: Member, { position }: Moment): string {
    const { role, place } = member.node;
    const home =
      member.index % UNLOCATED_PERIOD === 16 ? UNKNOWN_SITE : random.whole(SITES.length, "site", member.index);
    if (role === "mover") {
      const moves = Math.floor(position + 0.6 - 0.05 * (place % 8));
      return toIpv4((member.index + moves) % LOCATED_SITES, member.index);
    }
    if (role === "internal") return `10.0.0.${1 + place}`;
    return role === "sixth" ? toIpv6(home, member.index) : toIpv4(home, member.index);
  }

  function nodeAt(member: Member, moment: Moment): NodeState | null {
    if (member.node.role === "hidden" || !exists(member, moment)) return null;
    const missing = gapsOf(moment.ordinal).some(
      ({ member: { index }, window }) => index === member.index && isWithin(window, moment),
    );
    if (missing) return null;
    return {
      member,
      identity: identityAt(member, moment).address,
      ip: ipAt(member, moment),
      version: versionAt(member, moment),
    };
  }

  return { identityAt, nodeAt, gapsOf };
}

/** The first sites, which have a city. */
const LOCATED_SITES = SITES.findIndex(({ city }) => city === null);
