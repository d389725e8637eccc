import type { Member } from "./cast.ts";

/** Client software as a node announces it. */
interface Client {
  /** Number in the registry of gossip client ids. */
  id: number;
  /** How an answering node of today's Agave renders the number; others as `Unknown(N)`. */
  name: string | null;
  /** The version after so many upgrades. */
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
const UNREGISTERED: Client = { id: 86, name: null, version: (upgrades) => `4.3.0-beta.${upgrades}` };

/** What validators without MEV run, and those with it, in turn. */
const PLAIN_CLIENTS = [AGAVE, FRANKENDANCER, FIREDANCER, AGAVE, SIG, AGAVE, UNREGISTERED];
const MEV_CLIENTS = [JITO, FRANKENDANCER, BAM, JITO, JITO, RAKURAI, FIREBAM, BAM, JITO, PALADIN, JITO, HARMONIC];

export function clientOf({ index, mev }: Member): Client {
  const clients = mev.role === "none" ? PLAIN_CLIENTS : MEV_CLIENTS;
  return clients[index % clients.length] ?? AGAVE;
}

export function runsBam(member: Member): boolean {
  const { id } = clientOf(member);
  return id === BAM.id || id === FIREBAM.id;
}

/** Every so many-th node is seen in one of the odd renderings. */
const ODD_PERIOD = 19;

/** The clientId as some answering node renders it; undefined: a node too old to send the field. */
export function renderClientId(member: Member, knowsNewNames: boolean): string | number | null | undefined {
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
