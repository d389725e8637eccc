import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../../contract/networks.ts";
import { readMev, type MevOptions } from "../../observe/mev/mev.ts";
import { parseEndpointUrl } from "../../rpc/endpoint-address.ts";
import { RpcError } from "../../rpc/error.ts";
import { toFinding, toGrouped, type Finding } from "./findings.ts";

const LIST_MILLISECONDS = 10_000;

/**
 * Asks the MEV vendor's API for its latest list. It is a side source: nothing here is a problem.
 * @param mevUrl base of the vendor's API; null: none
 */
export async function examineMev(
  network: Network,
  mevUrl: string | null,
  options: Pick<MevOptions, "dispatcher" | "now" | "signal">,
): Promise<Finding[]> {
  if (mevUrl === null) return [toFinding("ok", "MEV API", "none is set: only the accounts on chain are read")];
  const variable = `${network.toUpperCase()}_MEV_URL`;
  const url = parseEndpointUrl(mevUrl, variable);
  try {
    const request = { epoch: null, deadline: options.now() + LIST_MILLISECONDS };
    const { rows } = await readMev({ ...options, url, sleep, random: Math.random }, request);
    return [toFinding("ok", "MEV API", `${url.origin}: ${toGrouped(rows.length)} validators`)];
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const advice = `Wait, check ${variable}, or set it to none: until then MEV commissions are read from the accounts on chain.`;
    return [toFinding("warning", "MEV API", error.message, advice)];
  }
}
