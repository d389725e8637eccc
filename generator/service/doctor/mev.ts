import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { Network } from "../../contract/networks.ts";
import { readMev, type MevOptions } from "../../observe/mev/mev.ts";
import { parseEndpointUrl } from "../../rpc/endpoint-address.ts";
import { RpcError } from "../../rpc/error.ts";
import { contactServer, type ServerContact } from "../../rpc/clock.ts";
import { ok, toCount, toSpan, warning, type Finding } from "./findings.ts";

interface MevExaminationOptions {
  network: Network;
  /** Base of the vendor's API; null: none. */
  mevUrl: string | null;
  /** The running epoch; null: no endpoint told it. */
  epoch: number | null;
  dispatcher: Dispatcher;
  now: () => number;
  timer: () => number;
  signal: AbortSignal;
}

export interface MevExamination {
  findings: Finding[];
  /** null: not asked, or no answer. */
  contact: ServerContact | null;
}

const CONTACT_MILLISECONDS = 5_000;
const LIST_MILLISECONDS = 10_000;

/** The MEV vendor's API, asked for the two lists that snapshots read. It is a side source: nothing here is a problem. */
export async function examineMev(options: MevExaminationOptions): Promise<MevExamination> {
  const { network, mevUrl, epoch } = options;
  const variable = `${network.toUpperCase()}_MEV_URL`;
  const silent = (found: string) => ({ findings: [ok("MEV API", found)], contact: null });
  if (network === "alpenglow") return silent("there is none for this network");
  if (mevUrl === null) return silent(`none is asked, as ${variable} says: the accounts on chain are read`);
  const url = parseEndpointUrl(mevUrl, variable);
  const contact = await contactServer({ ...options, url, body: null, timeoutMilliseconds: CONTACT_MILLISECONDS });
  if ("failed" in contact) {
    const advice = `Check ${variable} and this machine's way there, or set it to none.`;
    return { findings: [warning("MEV API", `${url.origin}: no connection: ${contact.failed}`, advice)], contact: null };
  }
  const mev: MevOptions = { ...options, now: options.timer, url, sleep, random: Math.random };
  const findings = await Promise.all([
    examineList(mev, {
      subject: "MEV API, latest",
      epoch: null,
      advice: `Wait, or check ${variable}; until then MEV commissions are read from the accounts on chain.`,
    }),
    epoch === null
      ? ok("MEV API, closed epoch", "not asked: no endpoint tells which epoch it is")
      : examineList(mev, {
          subject: "MEV API, closed epoch",
          epoch: epoch - 1,
          advice: "Without this list the accounts on chain alone tell who switched MEV off.",
        }),
  ]);
  return { findings, contact };
}

async function examineList(
  mev: MevOptions,
  { subject, epoch, advice }: { subject: string; epoch: number | null; advice: string },
): Promise<Finding> {
  const startedAt = mev.now();
  try {
    const { rows } = await readMev(mev, { epoch, deadline: startedAt + LIST_MILLISECONDS });
    const list = `${toCount(rows.length)} validators${epoch === null ? "" : ` of epoch ${epoch}`}`;
    return ok(subject, `${mev.url.origin}: ${list} in ${toSpan(mev.now() - startedAt)}`);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return warning(subject, error.message, advice);
  }
}
