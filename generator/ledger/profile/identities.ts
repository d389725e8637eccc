import { CLIENTS } from "../../contract/clients.ts";
import { toName, toUrl } from "../../contract/strangers-text.ts";
import type { AgreedSnapshot } from "../../agree/agree.ts";
import type { SnapshotRow } from "../../entries/entry.ts";
import { memoize, memoizeObject } from "../memoize.ts";
import type { ListedFields } from "../records.ts";
import { assignListed, type Found, type Step } from "../step.ts";

type Nodes = Extract<AgreedSnapshot["nodes"], { state: "ok" }>["value"];
type Infos = Extract<AgreedSnapshot["info"], { state: "ok" }>["value"];

const nameOf = memoize(toName);
const iconUrlOf = memoize((raw: string | null) => toUrl(raw, ["https:"]));
const websiteOf = memoize((raw: string | null) => toUrl(raw, ["https:", "http:"]));

const nodesByIdentity = memoizeObject(cleanNodes);
const infosByIdentity = memoizeObject(cleanInfos);

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
  const byIdentity = nodesByIdentity(nodes);
  for (const [validatorIndex, validator] of step.ledger.validators.entries()) {
    const node = validator.identity === null ? undefined : byIdentity.get(validator.identity);
    if (node === undefined) continue;
    assignListed(step, validatorIndex, {
      version: node.version ?? validator.version,
      clientId: node.clientId ?? validator.clientId,
    });
  }
}

function cleanNodes(nodes: Nodes): Map<string, Pick<ListedFields, "version" | "clientId">> {
  return new Map(
    nodes.map(({ identity, version, clientId }) => [
      identity,
      { version: toVersion(version), clientId: toClientId(clientId) },
    ]),
  );
}

type Info = Pick<ListedFields, "name" | "iconUrl" | "website">;

const NO_INFO: Info = { name: null, iconUrl: null, website: null };

/**
 * Updates name, icon and website from validator-info accounts. A validator without such an
 * account loses them.
 */
export function foldInfo(step: Step, found: readonly Found<SnapshotRow>[], infos: Infos): void {
  const byIdentity = infosByIdentity(infos);
  for (const { row, validatorIndex, validator } of found) {
    const info = byIdentity.get(row.identity) ?? NO_INFO;
    // Events carry the name.
    if (info.name !== validator.name) step.touched.events.add(validatorIndex);
    assignListed(step, validatorIndex, info);
  }
}

function cleanInfos(infos: Infos): Map<string, Info> {
  const cleaned = new Map<string, Info>();
  for (const [identity, { name, iconUrl, website }] of pickByIdentity(infos))
    cleaned.set(identity, {
      name: nameOf(name),
      iconUrl: iconUrlOf(iconUrl),
      website: websiteOf(website),
    });
  return cleaned;
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
