import ipaddr from "ipaddr.js";
import { z } from "zod";
import type { SnapshotEntry } from "../entries/entry.ts";
import { publicKeySchema } from "../chain/public-key.ts";
import { toRawText, toRawTextOrNull } from "./section.ts";
import type { RpcReader } from "../rpc/reader.ts";

/** A node in gossip, as a snapshot keeps it. */
export type NodeRow = Extract<SnapshotEntry["nodes"], { state: "ok" }>["value"][number];

/** One malformed field must not make the whole answer unusable. */
const nodeSchema = z.object({
  pubkey: publicKeySchema,
  gossip: z.unknown().optional(),
  tpuQuic: z.unknown().optional(),
  tvu: z.unknown().optional(),
  tpu: z.unknown().optional(),
  version: z.unknown().optional(),
  clientId: z.unknown().optional(),
});

type Node = z.infer<typeof nodeSchema>;

/** A node missing from gossip is unknown, not down. */
export async function readClusterNodes(
  reader: RpcReader,
  identities: ReadonlySet<string>,
): Promise<NodeRow[]> {
  const answer = await reader.call({ method: "getClusterNodes", schema: z.array(z.unknown()) });
  const rows = new Map<string, NodeRow>();
  for (const raw of answer) {
    const node = nodeSchema.safeParse(raw);
    if (!node.success || !identities.has(node.data.pubkey) || rows.has(node.data.pubkey)) continue;
    rows.set(node.data.pubkey, toNodeRow(node.data));
  }
  return [...rows.values()].sort((a, b) => (a.identity < b.identity ? -1 : 1));
}

function toNodeRow(node: Node): NodeRow {
  return {
    identity: node.pubkey,
    version: toRawTextOrNull(node.version),
    clientId: Number.isFinite(node.clientId)
      ? (node.clientId as number)
      : toRawTextOrNull(node.clientId),
    ip: findAddress(node),
  };
}

/** Some nodes publish 0.0.0.0 for IPv6. */
function findAddress(node: Node): string | null {
  const addresses = [node.gossip, node.tpuQuic, node.tvu, node.tpu]
    .map(toAddress)
    .filter((address) => address !== null);
  return addresses.find((address) => ipaddr.parse(address).range() !== "unspecified") ?? null;
}

function toAddress(socket: unknown): string | null {
  if (typeof socket !== "string") return null;
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+)):\d+$/.exec(toRawText(socket)) ?? [];
  const address = bracketed ?? plain;
  return address !== undefined && isAddress(address) ? ipaddr.process(address).toString() : null;
}

/** Not `ipaddr.isValid`, which also accepts `127.1` and `0x7f000001`. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}
