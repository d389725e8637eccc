import type { Network } from "../../contract/networks.ts";
import { WITNESSES_MAX } from "../../contract/values.ts";
import { toOrigin } from "../../rpc/ranking.ts";
import { toVariable } from "./endpoints.ts";
import { ok, warning, type Finding } from "./findings.ts";

/**
 * How many witnesses are configured, and what so many can and cannot guarantee (design §5): who answers at one origin is one
 * witness, and the first four count.
 * @param labels of all configured endpoints, preferred first
 */
export function judgeWitnesses(network: Network, labels: readonly string[]): Finding {
  const subject = "witnesses";
  const variable = toVariable(network);
  const origins = new Set(labels.map(toOrigin)).size;
  const count = Math.min(origins, WITNESSES_MAX);
  const found = `${describeCount(labels.length, origins)}: ${GUARANTEES[count] ?? "nothing can be confirmed"}`;
  if (count > 2) return ok(subject, found);
  const advice = `Give ${variable} endpoints of three or four providers who do not depend on each other: then one of them may lie.`;
  return warning(subject, found, advice);
}

/** By the number of witnesses. */
const GUARANTEES: Record<number, string> = {
  1: "not guarded against its lies",
  2: "nothing false is told while an honest one answers, but one that lies can keep a change disputed for ever",
  3: "one of them may lie",
  4: "one of them may lie",
};

function describeCount(endpoints: number, origins: number): string {
  if (origins > WITNESSES_MAX) return `${WITNESSES_MAX}, the first of ${origins} origins`;
  if (origins === endpoints) return String(origins);
  return `${origins} (${endpoints} endpoints: those at one origin are one witness)`;
}
