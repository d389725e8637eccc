import { toCounted } from "../report.ts";
import { messageOf } from "../../contract/error-message.ts";
import type { Network } from "../../contract/networks.ts";
import type { AlertSettings, AlertTarget } from "../../settings/alerts.ts";
import type { ObjectStore } from "../../store/store.ts";
import { isPublicAddress, resolveHost, type Resolve } from "../alerts/public-hosts.ts";
import { peekRecord, type OutboxRecord } from "../alerts/record.ts";
import { ok, problem, warning, type Finding } from "./findings.ts";

interface AlertsOptions {
  alerts: AlertSettings;
  networks: readonly Network[];
  stateStore: ObjectStore;
  resolve?: Resolve;
}

/**
 * The targets of alerts by name, shape and host, because the rest of an address is a token: who would be refused, and what
 * could not be delivered. Sends nothing to them.
 */
export async function examineAlerts(options: AlertsOptions): Promise<Finding[]> {
  const { targets } = options.alerts;
  if (targets.length === 0) return [ok("ALERT_WEBHOOKS", "not set: nobody hears of events")];
  const set = targets.map(({ name, shape }) => `${name} (${shape})`).join(", ");
  const findings = await Promise.all(
    targets.flatMap((target) => [
      examineTarget(target, options),
      ...options.networks
        .filter((network) => target.networks.includes(network))
        .map((network) => examineOutbox(target, network, options)),
    ]),
  );
  return [ok("ALERT_WEBHOOKS", `${targets.length} set: ${set}`), ...findings.flat()];
}

async function examineTarget({ name, url }: AlertTarget, { alerts, resolve }: AlertsOptions): Promise<Finding> {
  const { hostname } = new URL(url);
  const subject = toSubject(name);
  let addresses: string[];
  try {
    addresses = await resolveHost(hostname, resolve);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return warning(subject, `${hostname} has no address (${code})`, "Check its url; alerts are tried again for a day.");
  }
  if (alerts.privateHosts) return ok(subject, `${hostname} (not contacted); private hosts are allowed`);
  if (addresses.every(isPublicAddress)) return ok(subject, `${hostname} (not contacted)`);
  const advice = "Check its url, or set ALERT_PRIVATE_HOSTS=allow if you mean it.";
  return problem(subject, `${hostname} is refused: its address is not public`, advice);
}

async function examineOutbox({ name }: AlertTarget, network: Network, options: AlertsOptions): Promise<Finding[]> {
  let record: OutboxRecord | null;
  try {
    record = await peekRecord({ stateStore: options.stateStore, network, target: name });
  } catch (error) {
    return [warning(toSubject(name), `${network}: ${messageOf(error)}`, "Fix what the state store's line names.")];
  }
  if (record === null) return [];
  const { queue, failure, undelivered } = record;
  const findings: Finding[] = [];
  const [head] = queue;
  const waiting = `${network}: ${toCounted(queue.length, "message")} waiting since ${head?.queuedAt ?? ""}`;
  if (head !== undefined && failure === null) findings.push(ok(toSubject(name), `${waiting}, not tried yet`));
  if (head !== undefined && failure !== null) {
    const found = `${waiting}; failing since ${failure.since}: ${failure.reason}`;
    const advice =
      "Check its url in ALERT_WEBHOOKS and the receiver. Messages wait for a day; a new url is tried at once.";
    findings.push(warning(toSubject(name), found, advice));
  }
  const last = undelivered.at(-1);
  if (last !== undefined) {
    const found = `${network}: ${toCounted(undelivered.length, "message")} not delivered in the last week; the last, ${last.id}: ${last.reason}`;
    const advice = `Look it up with generate explain ${last.id.split(".")[0] ?? ""}: it is in the feeds. If the receiver refuses it, fix the receiver.`;
    findings.push(warning(toSubject(name), found, advice));
  }
  return findings;
}

const toSubject = (name: string) => `alerts for ${name}`;
