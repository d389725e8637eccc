import { toClientId } from "./clients.ts";
import type { SnapshotEntry, SnapshotRow } from "../entries/entry.ts";
import { assignListed, findValidator, type Step } from "./step.ts";
import { toName, toUrl } from "../contract/strangers-text.ts";
import { toVersion } from "./version.ts";

type Nodes = Extract<SnapshotEntry["nodes"], { state: "ok" }>["value"];
type Infos = Extract<SnapshotEntry["info"], { state: "ok" }>["value"];

/** The identity a vote account names now. The vote account stays the key: an identity can change, and serve several. */
export function foldIdentities(step: Step, rows: readonly SnapshotRow[]): void {
  for (const row of rows) {
    const found = findValidator(step.ledger, row.vote);
    if (found !== null) assignListed(step, found.ordinal, { identity: row.identity });
  }
}

/** Software as gossip tells it. Absence from gossip, a malformed version or a missing id never replaces a good one. */
export function foldNodes(step: Step, nodes: Nodes): void {
  const byIdentity = new Map(nodes.map((node) => [node.identity, node]));
  for (const [ordinal, validator] of step.ledger.validators.entries()) {
    const node = validator.identity === null ? undefined : byIdentity.get(validator.identity);
    if (node === undefined) continue;
    const version = toVersion(node.version) ?? validator.version;
    assignListed(step, ordinal, { version, clientId: toClientId(node.clientId) ?? validator.clientId });
  }
}

/**
 * Names and addresses that the identity itself signed for. An identity without any has no name; only those of the rows are
 * asked for, so a vote account without a row keeps its own.
 */
export function foldInfo(step: Step, rows: readonly SnapshotRow[], infos: Infos): void {
  const byIdentity = pickByIdentity(infos);
  for (const row of rows) {
    const found = findValidator(step.ledger, row.vote);
    if (found === null) continue;
    const { ordinal, validator } = found;
    const info = byIdentity.get(row.identity);
    const name = toName(info?.name ?? null);
    if (name !== validator.name) touchEvents(step, ordinal);
    const website = toUrl(info?.website ?? null, ["https:", "http:"]);
    assignListed(step, ordinal, { name, iconUrl: toUrl(info?.iconUrl ?? null, ["https:"]), website });
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
