import { CLIENTS } from "../contract/clients.ts";
import { toName, toUrl } from "../contract/strangers-text.ts";
import type { SnapshotEntry, SnapshotRow } from "../entries/entry.ts";
import { remember } from "./remember.ts";
import { assignListed, type Found, type Step } from "./step.ts";

type Nodes = Extract<SnapshotEntry["nodes"], { state: "ok" }>["value"];
type Infos = Extract<SnapshotEntry["info"], { state: "ok" }>["value"];

const versionOf = remember(toVersion);
const clientIdOf = remember(toClientId);
const nameOf = remember(toName);
const iconUrlOf = remember((raw: string | null) => toUrl(raw, ["https:"]));
const websiteOf = remember((raw: string | null) => toUrl(raw, ["https:", "http:"]));

/** The identity a vote account names now. The vote account stays the key: an identity can change, and serve several. */
export function foldIdentities(step: Step, found: readonly Found<SnapshotRow>[]): void {
  for (const { row, ordinal } of found) assignListed(step, ordinal, { identity: row.identity });
}

/** Software as gossip tells it. Absence from gossip, a malformed version or a missing id never replaces a good one. */
export function foldNodes(step: Step, nodes: Nodes): void {
  const byIdentity = new Map(nodes.map((node) => [node.identity, node]));
  for (const [ordinal, validator] of step.ledger.validators.entries()) {
    const node = validator.identity === null ? undefined : byIdentity.get(validator.identity);
    if (node === undefined) continue;
    const version = versionOf(node.version) ?? validator.version;
    assignListed(step, ordinal, { version, clientId: clientIdOf(node.clientId) ?? validator.clientId });
  }
}

/**
 * Names and addresses that the identity itself signed for. An identity without any has no name; only those of the rows are
 * asked for, so a vote account without a row keeps its own.
 */
export function foldInfo(step: Step, found: readonly Found<SnapshotRow>[], infos: Infos): void {
  const byIdentity = pickByIdentity(infos);
  for (const { row, ordinal, validator } of found) {
    const info = byIdentity.get(row.identity);
    const name = nameOf(info?.name ?? null);
    if (name !== validator.name) touchEvents(step, ordinal);
    const iconUrl = iconUrlOf(info?.iconUrl ?? null);
    const website = websiteOf(info?.website ?? null);
    assignListed(step, ordinal, { name, iconUrl, website });
  }
}

/** Of several accounts of an identity the one with the lowest address: the chain does not say which is the newest. */
function pickByIdentity(infos: Infos): Map<string, Infos[number]> {
  const picked = new Map<string, Infos[number]>();
  for (const info of infos) {
    const held = picked.get(info.identity);
    if (held === undefined || info.account < held.account) picked.set(info.identity, info);
  }
  return picked;
}

/** Events carry the name. */
function touchEvents(step: Step, ordinal: number): void {
  const own = step.ledger.events.filter((event) => event.ordinal === ordinal);
  if (own.length > 0) step.touched.events.add(ordinal);
  for (const event of own) {
    step.touched.epochs.add(event.epoch);
    if (event.confirmed) step.touched.severities.add(event.severity);
  }
}

/** Three dotted parts, of which only the last may carry a pre-release name: `4.2.1`, `4.1.0-rc.1`, `0.505.20216`. */
const VERSION = /^(\d{1,5})\.(\d{1,5})\.(\d{1,10}(?:-[0-9A-Za-z.-]{1,32})?)$/;

/** Highest two bits of the minor number on the wire: what kind of pre-release it is (Agave 4.0 gossip). */
const PRE_RELEASES = ["", "rc", "beta", "alpha"];
const MINOR_BITS = 14;

/**
 * The software version of a node in one spelling, null when what gossip says is none: a malformed version must never
 * replace a good one. Text after the first space is a detail of some nodes. A node older than Agave 4.0 shows a
 * pre-release undecoded (`4.16386.2` is 4.2.0-rc.2): it is decoded here.
 */
export function toVersion(raw: string | null): string | null {
  if (raw === null) return null;
  const text = raw.slice(0, 128).split(" ", 1)[0] ?? "";
  const [, major, minor, patch] = VERSION.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return null;
  const preRelease = PRE_RELEASES[Number(minor) >> MINOR_BITS];
  if (preRelease === undefined) return null;
  if (preRelease === "") return text;
  return `${major}.${Number(minor) & (2 ** MINOR_BITS - 1)}.0-${preRelease}.${patch}`;
}

const CLIENT_ID_MAX = 65_535;

const IDS_BY_NAME = new Map(CLIENTS.map(({ id, name }) => [toComparable(name), id]));

/**
 * The number of the registry behind a `clientId` of getClusterNodes. The answering node writes a name from its own table,
 * or `Unknown(N)` for a number it does not know, so that one node reads differently on two endpoints; some endpoints send
 * the number itself. Numbers outside the registry are kept. null: absent, or unreadable.
 */
export function toClientId(raw: string | number | null): number | null {
  if (raw === null) return null;
  if (typeof raw === "number") return isClientId(raw) ? raw : null;
  const number = /^(?:Unknown\((\d+)\)|(\d+))$/.exec(raw);
  if (number === null) return IDS_BY_NAME.get(toComparable(raw)) ?? null;
  const id = Number(number[1] ?? number[2]);
  return isClientId(id) ? id : null;
}

/** Spellings differ by case and spaces only: «Agave Bam» and «AgaveBam», «FireBAM» and «FireBam». */
function toComparable(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function isClientId(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= CLIENT_ID_MAX;
}
