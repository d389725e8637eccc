import { CLIENTS } from "../../contract/clients.ts";
import { toName, toUrl } from "../../contract/strangers-text.ts";
import type { AgreedSnapshot } from "../../agree/agree.ts";
import type { SnapshotRow } from "../../entries/entry.ts";
import { memoize } from "../memoize.ts";
import { assignListed, type Found, type Step } from "../step.ts";

type Nodes = Extract<AgreedSnapshot["nodes"], { state: "ok" }>["value"];
type Infos = Extract<AgreedSnapshot["info"], { state: "ok" }>["value"];

const versionOf = memoize(toVersion);
const clientIdOf = memoize(toClientId);
const nameOf = memoize(toName);
const iconUrlOf = memoize((raw: string | null) => toUrl(raw, ["https:"]));
const websiteOf = memoize((raw: string | null) => toUrl(raw, ["https:", "http:"]));

/**
 * Updates each validator's identity. Identities change and can be shared, so the vote account
 * stays the key.
 */
export function foldIdentities(step: Step, found: readonly Found<SnapshotRow>[]): void {
  for (const { row, validatorIndex } of found)
    assignListed(step, validatorIndex, { identity: row.identity });
}

/**
 * Updates version and client of the validators whose identity is in gossip. What is missing or
 * unreadable keeps its last value.
 */
export function foldNodes(step: Step, nodes: Nodes): void {
  const byIdentity = new Map(nodes.map((node) => [node.identity, node]));
  for (const [validatorIndex, validator] of step.ledger.validators.entries()) {
    const node = validator.identity === null ? undefined : byIdentity.get(validator.identity);
    if (node === undefined) continue;
    const version = versionOf(node.version) ?? validator.version;
    assignListed(step, validatorIndex, {
      version,
      clientId: clientIdOf(node.clientId) ?? validator.clientId,
    });
  }
}

/**
 * Updates name, icon and website from validator-info accounts. A validator without such an
 * account loses them.
 */
export function foldInfo(step: Step, found: readonly Found<SnapshotRow>[], infos: Infos): void {
  const byIdentity = pickByIdentity(infos);
  for (const { row, validatorIndex, validator } of found) {
    const info = byIdentity.get(row.identity);
    const name = nameOf(info?.name ?? null);
    // Events carry the name.
    if (name !== validator.name) step.touched.events.add(validatorIndex);
    const iconUrl = iconUrlOf(info?.iconUrl ?? null);
    const website = websiteOf(info?.website ?? null);
    assignListed(step, validatorIndex, { name, iconUrl, website });
  }
}

/** Picks one validator-info account an identity: the chain does not say which is newest. */
function pickByIdentity(infos: Infos): Map<string, Infos[number]> {
  const picked = new Map<string, Infos[number]>();
  for (const info of infos) {
    const known = picked.get(info.identity);
    if (known === undefined || info.account < known.account) picked.set(info.identity, info);
  }
  return picked;
}

/** `4.2.1`, `4.1.0-rc.1`, `0.505.20216` */
const VERSION = /^(\d{1,5})\.(\d{1,5})\.(\d{1,10}(?:-[0-9A-Za-z.-]{1,32})?)$/;

/** The two highest bits of the minor number encode the pre-release (Agave 4.0 gossip). */
const PRE_RELEASES = ["", "rc", "beta", "alpha"];
const MINOR_BITS = 14;

/** Nodes before Agave 4.0 show a pre-release undecoded: `4.16386.2` is 4.2.0-rc.2. */
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
 * Of getClusterNodes' `clientId`: a name from the node's own table,
 * `Unknown(N)`, or the number. Unregistered numbers are kept.
 */
export function toClientId(raw: string | number | null): number | null {
  if (raw === null) return null;
  if (typeof raw === "number") return isClientId(raw) ? raw : null;
  const number = /^(?:Unknown\((\d+)\)|(\d+))$/.exec(raw);
  if (number === null) return IDS_BY_NAME.get(toComparable(raw)) ?? null;
  const id = Number(number[1] ?? number[2]);
  return isClientId(id) ? id : null;
}

/** “Agave Bam” and “AgaveBam”, “FireBAM” and “FireBam”. */
function toComparable(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function isClientId(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= CLIENT_ID_MAX;
}
