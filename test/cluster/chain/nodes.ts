import { type Moment, isWithin, toWindow, type Length, type Window } from "../calendar.ts";
import type { Key, Member } from "./cast.ts";
import { exists } from "./presence.ts";
import { remember, type World } from "../world.ts";

export interface NodeState {
  member: Member;
  identity: string;
  ip: string;
  version: string;
}

export interface NodeStory {
  identityAt(member: Member, moment: Moment): Key;
  /** null: not in gossip now. */
  nodeAt(member: Member, moment: Moment): NodeState | null;
  gapsOf(ordinal: number): readonly { member: Member; window: Window }[];
}

const GAP: Length = { epochs: 0.03, leastMilliseconds: 15 * 60_000 };

/** In epochs. */
const UPGRADE_PERIOD = 3;

const GARBLED_FRACTIONS = [0.4, 0.6] as const;

/** No database locates one node in this many. */
const UNLOCATED_PERIOD = 17;

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
    // The first change comes soon.
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
      member.index % UNLOCATED_PERIOD === 16
        ? UNKNOWN_SITE
        : random.whole(SITES.length, "site", member.index);
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

interface Client {
  id: number;
  /** As today's Agave names it; null: `Unknown(N)`. */
  name: string | null;
  version: (upgrades: number) => string;
}

const agaveVersion = (upgrades: number) => `4.2.${1 + upgrades}`;
const frankendancerVersion = (upgrades: number) =>
  `0.5${10 + upgrades}.402${String(1 + (upgrades % 90)).padStart(2, "0")}`;

const AGAVE: Client = { id: 3, name: "Agave", version: agaveVersion };
const JITO: Client = { id: 1, name: "JitoLabs", version: agaveVersion };
const FRANKENDANCER: Client = { id: 2, name: "Frankendancer", version: frankendancerVersion };
const FIREDANCER: Client = { id: 5, name: "Firedancer", version: (upgrades) => `1.0.${upgrades}` };
const BAM: Client = { id: 6, name: "AgaveBam", version: agaveVersion };
const FIREBAM: Client = { id: 12, name: "FireBam", version: frankendancerVersion };
const PALADIN: Client = { id: 4, name: "AgavePaladin", version: agaveVersion };
const SIG: Client = { id: 7, name: "Sig", version: (upgrades) => `0.${3 + upgrades}.0` };
const RAKURAI: Client = { id: 8, name: null, version: agaveVersion };
const HARMONIC: Client = { id: 10, name: null, version: agaveVersion };
const UNREGISTERED: Client = {
  id: 86,
  name: null,
  version: (upgrades) => `4.3.0-beta.${upgrades}`,
};

const PLAIN_CLIENTS = [AGAVE, FRANKENDANCER, FIREDANCER, AGAVE, SIG, AGAVE, UNREGISTERED];
const MEV_CLIENTS = [
  JITO,
  FRANKENDANCER,
  BAM,
  JITO,
  JITO,
  RAKURAI,
  FIREBAM,
  BAM,
  JITO,
  PALADIN,
  JITO,
  HARMONIC,
];

function clientOf({ index, mev }: Member): Client {
  const clients = mev.role === "none" ? PLAIN_CLIENTS : MEV_CLIENTS;
  return clients[index % clients.length] ?? AGAVE;
}

export function runsBam(member: Member): boolean {
  const { id } = clientOf(member);
  return id === BAM.id || id === FIREBAM.id;
}

const ODD_PERIOD = 19;

/** undefined: too old to send it. */
export function renderClientId(
  member: Member,
  knowsNewNames: boolean,
): string | number | null | undefined {
  const { id, name } = clientOf(member);
  switch (member.index % ODD_PERIOD) {
    case 5:
      return id;
    case 9:
      return null;
    case 13:
      return undefined;
    default:
      return name ?? (knowsNewNames && id === RAKURAI.id ? "Rakurai" : `Unknown(${id})`);
  }
}

export interface Site {
  asn: number;
  organization: string;
  country: { code: string; name: string } | null;
  city: string | null;
}

const GERMANY = { code: "DE", name: "Germany" };
const FRANCE = { code: "FR", name: "France" };
const NETHERLANDS = { code: "NL", name: "The Netherlands" };
const UNITED_STATES = { code: "US", name: "United States" };
const UNITED_KINGDOM = { code: "GB", name: "United Kingdom" };
const JAPAN = { code: "JP", name: "Japan" };
const SINGAPORE = { code: "SG", name: "Singapore" };

/** Neighbours differ in provider and place, so that a move shows. */
export const SITES: readonly Site[] = [
  { asn: 20326, organization: "TeraSwitch Networks Inc.", country: UNITED_STATES, city: "Newark" },
  { asn: 24940, organization: "Hetzner Online GmbH", country: GERMANY, city: "Falkenstein" },
  { asn: 396356, organization: "Latitude.sh", country: UNITED_KINGDOM, city: "London" },
  { asn: 16276, organization: "OVH SAS", country: FRANCE, city: "Roubaix" },
  { asn: 16509, organization: "Amazon.com, Inc.", country: SINGAPORE, city: "Singapore" },
  { asn: 20326, organization: "TeraSwitch Networks Inc.", country: NETHERLANDS, city: "Amsterdam" },
  { asn: 396356, organization: "Latitude.sh", country: JAPAN, city: "Tokyo" },
  { asn: 24940, organization: "Hetzner Online GmbH", country: UNITED_STATES, city: "Hillsboro" },
  { asn: 16276, organization: "OVH SAS", country: GERMANY, city: "Frankfurt am Main" },
  { asn: 396356, organization: "Latitude.sh", country: UNITED_STATES, city: "Chicago" },
  { asn: 16509, organization: "Amazon.com, Inc.", country: UNITED_STATES, city: null },
  { asn: 64500, organization: "Example Backbone", country: null, city: null },
];

/** Addresses that no database knows. */
export const UNKNOWN_SITE = SITES.length;

const LOCATED_SITES = SITES.findIndex(({ city }) => city === null);

/**
 * No validator stands in 11.0.0.0/8. A careful reader would not look up documentation addresses.
 */
export function toIpv4Network(site: number): string {
  return `11.${site + 1}.0.0/16`;
}

/** An unassigned part of the address space. */
export function toIpv6Network(site: number): string {
  return `2d00:5:${(site + 1).toString(16)}::/48`;
}

export function toIpv4(site: number, host: number): string {
  return `11.${site + 1}.${host >> 8}.${host & 255}`;
}

export function toIpv6(site: number, host: number): string {
  return `2d00:5:${(site + 1).toString(16)}::${(host + 1).toString(16)}`;
}
