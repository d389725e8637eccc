import { setTimeout as sleep } from "node:timers/promises";
import type { Network } from "../../contract/networks.ts";
import { readMev, type MevOptions } from "../../observe/mev/mev.ts";
import { parseEndpointUrl } from "../../rpc/endpoint-address.ts";
import { RpcError } from "../../rpc/error.ts";
import { contactServer, type ContactOptions, type ServerContact } from "../../rpc/clock.ts";
import { ok, toGrouped, toSpan, warning, type Finding } from "./findings.ts";

interface MevExaminationOptions extends Pick<ContactOptions, "dispatcher" | "now" | "timer"> {
  network: Network;
  /** Base of the vendor's API; null: none. */
  mevUrl: string | null;
  /** null: no endpoint told it. */
  epoch: number | null;
  signal: AbortSignal;
}

const CONTACT_MILLISECONDS = 5_000;
const LIST_MILLISECONDS = 10_000;

/**
 * Asks the MEV vendor's API for the two lists that snapshots read. It is a side source: nothing here is a problem.
 * @returns `contact` null: not asked, or no answer
 */
export async function examineMev(
  options: MevExaminationOptions,
): Promise<{ findings: Finding[]; contact: ServerContact | null }> {
  const { network, mevUrl, epoch } = options;
  const variable = `${network.toUpperCase()}_MEV_URL`;
  const alone = (finding: Finding) => ({ findings: [finding], contact: null });
  if (network === "alpenglow") return alone(ok("MEV API", "there is none for this network"));
  if (mevUrl === null)
    return alone(ok("MEV API", `none is asked, as ${variable} says: the accounts on chain are read`));
  const url = parseEndpointUrl(mevUrl, variable);
  const contact = await contactServer({ ...options, url, body: null, timeoutMilliseconds: CONTACT_MILLISECONDS });
  if ("failed" in contact) {
    const advice = `Check ${variable} and this machine's way there, or set it to none.`;
    return alone(warning("MEV API", `${url.origin}: no connection: ${contact.failed}`, advice));
  }
  const mev = { ...options, now: options.timer, url, sleep, random: Math.random };
  const fallback = `Wait, or check ${variable}; until then MEV commissions are read from the accounts on chain.`;
  const alternative = "Without this list the accounts on chain alone tell who switched MEV off.";
  const closed = "MEV API, closed epoch";
  const findings = await Promise.all([
    examineList(mev, "MEV API, latest", null, fallback),
    epoch === null
      ? ok(closed, "not asked: no endpoint tells which epoch it is")
      : examineList(mev, closed, epoch - 1, alternative),
  ]);
  return { findings, contact };
}

async function examineList(mev: MevOptions, subject: string, epoch: number | null, advice: string): Promise<Finding> {
  const startedAt = mev.now();
  try {
    const { rows } = await readMev(mev, { epoch, deadline: startedAt + LIST_MILLISECONDS });
    const list = `${toGrouped(rows.length)} validators${epoch === null ? "" : ` of epoch ${epoch}`}`;
    return ok(subject, `${mev.url.origin}: ${list} in ${toSpan(mev.now() - startedAt)}`);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return warning(subject, error.message, advice);
  }
}
