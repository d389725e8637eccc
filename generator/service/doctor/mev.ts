import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { Network } from "../../contract/networks.ts";
import { parseEndpointUrl } from "../../rpc/endpoint-url.ts";
import { readMev, type MevOptions } from "../../observe/mev/mev.ts";
import { RpcError } from "../../rpc/error.ts";
import { contactServer, type ServerContact } from "../../rpc/server-contact.ts";
import { toCount, toSpan } from "./durations.ts";
import { ok, warning, type Finding } from "./findings.ts";

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
  const { network, mevUrl } = options;
  if (network === "alpenglow") return toSilence("there is none for this network");
  if (mevUrl === null)
    return toSilence(`none is asked, as ${toVariable(network)} says: the accounts on chain are read`);
  const url = parseEndpointUrl(mevUrl, toVariable(network));
  const contact = await contactServer({ ...options, url, body: null, timeoutMilliseconds: CONTACT_MILLISECONDS });
  if ("failed" in contact) {
    const advice = `Check ${toVariable(network)} and this machine's way there, or set it to none.`;
    return { findings: [warning("MEV API", `${url.origin}: no connection: ${contact.failed}`, advice)], contact: null };
  }
  const mev: MevOptions = { ...options, now: options.timer, url, sleep, random: Math.random };
  const findings = await Promise.all([examineLatest(mev, network), examineClosed(mev, options)]);
  return { findings, contact };
}

function toVariable(network: Network): string {
  return `${network.toUpperCase()}_MEV_URL`;
}

function toSilence(found: string): MevExamination {
  return { findings: [ok("MEV API", found)], contact: null };
}

function examineLatest(mev: MevOptions, network: Network): Promise<Finding> {
  const advice = `Wait, or check ${toVariable(network)}; until then MEV commissions are read from the accounts on chain.`;
  return examineList(mev, { subject: "MEV API, latest", epoch: null, advice });
}

async function examineClosed(mev: MevOptions, { epoch }: MevExaminationOptions): Promise<Finding> {
  const subject = "MEV API, closed epoch";
  if (epoch === null) return ok(subject, "not asked: no endpoint tells which epoch it is");
  const advice = "Without this list the accounts on chain alone tell who switched MEV off.";
  return examineList(mev, { subject, epoch: epoch - 1, advice });
}

async function examineList(
  mev: MevOptions,
  { subject, epoch, advice }: { subject: string; epoch: number | null; advice: string },
): Promise<Finding> {
  const startedAt = mev.now();
  try {
    const { rows } = await readMev(mev, { epoch, deadline: startedAt + LIST_MILLISECONDS });
    const of = epoch === null ? "" : ` of epoch ${epoch}`;
    return ok(
      subject,
      `${mev.url.origin}: ${toCount(rows.length)} validators${of} in ${toSpan(mev.now() - startedAt)}`,
    );
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return warning(subject, error.message, advice);
  }
}
