import type { Network } from "../../contract/networks.ts";
import type { AlertSettings, AlertTarget } from "../../settings/alerts.ts";
import type { ObjectStore } from "../../store/store.ts";
import { toWaiting } from "../alerts/outbox.ts";
import { isPublicAddress, resolveHost, type Resolve } from "../alerts/public-hosts.ts";
import { peekRecord } from "../alerts/record.ts";
import { toFinding, type Finding } from "./findings.ts";

interface AlertsOptions {
  alerts: AlertSettings;
  networks: readonly Network[];
  stateStore: ObjectStore;
  resolve?: Resolve;
}

/**
 * The targets of alerts by name, shape and host, because the rest of an address is a token: who would be refused, and
 * what could not be delivered. Sends nothing to them.
 */
export async function examineAlerts(options: AlertsOptions): Promise<Finding[]> {
  const { targets } = options.alerts;
  if (targets.length === 0) return [toFinding("ok", "ALERT_WEBHOOKS", "not set: nobody hears of events")];
  const findings = targets.flatMap((target) => [
    examineHost(target, options),
    ...options.networks
      .filter((network) => target.networks.includes(network))
      .map((network) => examineOutbox(target, network, options.stateStore)),
  ]);
  return (await Promise.all(findings)).flat();
}

async function examineHost({ name, shape, url }: AlertTarget, { alerts, resolve }: AlertsOptions): Promise<Finding> {
  const { hostname } = new URL(url);
  const addresses = await resolveHost(hostname, resolve).catch(() => []);
  const found = `${hostname} (${shape}, not contacted)`;
  if (addresses.length === 0)
    return toFinding("warning", toSubject(name), `${found} has no address`, "Check its url and this machine's DNS.");
  const isRefused = !alerts.privateHosts && !addresses.every(isPublicAddress);
  const advice = "Its address is not public: check its url, or set ALERT_PRIVATE_HOSTS=allow if you mean it.";
  return toFinding(isRefused ? "problem" : "ok", toSubject(name), isRefused ? `${found} is refused` : found, advice);
}

async function examineOutbox({ name }: AlertTarget, network: Network, stateStore: ObjectStore): Promise<Finding[]> {
  const record = await peekRecord({ stateStore, network, target: name });
  if (record === null) return [];
  const { queue, undelivered } = record;
  const failure = queue.length > 0 ? record.failure : null;
  const last = undelivered.at(-1);
  const found = [
    ...(queue.length > 0 ? [toWaiting(record)] : []),
    ...(failure !== null ? [`failing since ${failure.since}: ${failure.reason}`] : []),
    ...(last ? [`${undelivered.length} not delivered in the last week; the last, ${last.id}: ${last.reason}`] : []),
  ];
  if (found.length === 0) return [];
  const level = failure === null && last === undefined ? "ok" : "warning";
  const advice = `Check its url in ALERT_WEBHOOKS and the receiver. What waits is sent for a day, the feeds have the rest.`;
  return [toFinding(level, toSubject(name), `${network}: ${found.join("; ")}`, advice)];
}

const toSubject = (name: string) => `alerts for ${name}`;
