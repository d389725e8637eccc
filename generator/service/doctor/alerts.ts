import type { AlertTarget } from "../../settings/alerts.ts";
import { toWaiting } from "../alerts/outbox.ts";
import { isPublicAddress, resolveHost, type Resolve } from "../alerts/public-hosts.ts";
import { peekRecord, type OutboxPlace } from "../alerts/record.ts";
import { toFinding, type CheckContext, type Finding } from "./check.ts";

/**
 * Shows the targets of alerts by name, shape and host, because the rest of an address is a token,
 * and tells which would be refused and what could not be delivered. It sends nothing.
 */
export async function checkAlerts(context: CheckContext, resolve?: Resolve): Promise<Finding[]> {
  const { settings, networks, stateStore } = context;
  const { targets, privateHosts } = settings.alerts;
  if (targets.length === 0)
    return [toFinding("ok", "ALERT_WEBHOOKS", "not set: nobody hears of events")];
  const findings = targets.flatMap((target) => [
    checkHost(target, privateHosts, resolve),
    ...networks
      .filter((network) => target.networks.includes(network))
      .map((network) => checkOutbox({ stateStore, network, target: target.name })),
  ]);
  return (await Promise.all(findings)).flat();
}

async function checkHost(
  { name, shape, url }: AlertTarget,
  privateHosts: boolean,
  resolve?: Resolve,
) {
  const { hostname } = new URL(url);
  const addresses = await resolveHost(hostname, resolve).catch(() => []);
  const found = `${hostname} (${shape}, not contacted)`;
  if (addresses.length === 0)
    return toFinding(
      "warning",
      toSubject(name),
      `${found} has no address`,
      "Check its url and this machine's DNS.",
    );
  const isRefused = !privateHosts && !addresses.every(isPublicAddress);
  const advice =
    "Its address is not public: check its url, or set ALERT_PRIVATE_HOSTS=allow if you mean it.";
  return toFinding(
    isRefused ? "problem" : "ok",
    toSubject(name),
    isRefused ? `${found} is refused` : found,
    advice,
  );
}

async function checkOutbox(place: OutboxPlace): Promise<Finding[]> {
  const record = await peekRecord(place);
  if (record === null) return [];
  const { queue, undelivered } = record;
  const failure = queue.length > 0 ? record.failure : null;
  const last = undelivered.at(-1);
  const found = [
    ...(queue.length > 0 ? [toWaiting(record)] : []),
    ...(failure ? [`failing since ${failure.since}: ${failure.reason}`] : []),
    ...(last
      ? [
          `${undelivered.length} not delivered in the last week; the last, ${last.id}: ${last.reason}`,
        ]
      : []),
  ];
  if (found.length === 0) return [];
  const advice = `Check its url in ALERT_WEBHOOKS and the receiver. What waits is sent as soon as it answers; the feeds have the rest.`;
  const level = failure || last ? "warning" : "ok";
  return [
    toFinding(level, toSubject(place.target), `${place.network}: ${found.join("; ")}`, advice),
  ];
}

const toSubject = (name: string) => `alerts for ${name}`;
