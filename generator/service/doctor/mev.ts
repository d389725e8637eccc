import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../../contract/networks.ts";
import { readMev } from "../../observe/mev/mev-list.ts";
import { parseEndpointUrl } from "../../rpc/endpoint-address.ts";
import { RpcError } from "../../rpc/error.ts";
import { toFinding, type CheckContext, type Finding } from "./check.ts";

/**
 * Asks the MEV vendor's API for its latest list. It is a side source, so no finding is a problem.
 */
export async function checkMev(network: Network, context: CheckContext): Promise<Finding[]> {
  const { settings, clock, limits } = context;
  const mevUrl = settings.mevUrls[network];
  if (mevUrl === null)
    return [toFinding("ok", "MEV API", "none is set: only the accounts on chain are read")];
  const variable = `${network.toUpperCase()}_MEV_URL`;
  const url = parseEndpointUrl(mevUrl, variable);
  try {
    const request = { deadline: clock.timer() + limits.answerMilliseconds };
    const rows = await readMev(
      { ...context, url, now: clock.timer, sleep, random: Math.random },
      request,
    );
    return [
      toFinding("ok", "MEV API", `${url.origin}: ${rows.length.toLocaleString("en")} validators`),
    ];
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const advice = `Wait, check ${variable}, or set it to none: until then MEV commissions are read from the accounts on chain.`;
    return [toFinding("warning", "MEV API", error.message, advice)];
  }
}
