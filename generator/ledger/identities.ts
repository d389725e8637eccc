import { toClientId } from "./clients.ts";
import type { SnapshotEntry, SnapshotRow } from "../entries/entry.ts";
import { assignListed, type Found, type Step } from "./step.ts";
import { remember } from "./remember.ts";
import { toName, toUrl } from "../contract/strangers-text.ts";
import { toVersion } from "./version.ts";

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
