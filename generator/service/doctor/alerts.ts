import type { AlertSettings, AlertTarget } from "../../settings/alerts.ts";
import { isPublicAddress, resolveHost, type Resolve } from "../alerts/public-hosts.ts";
import { ok, problem, warning, type Finding } from "./findings.ts";

/**
 * The targets of alerts, by name, shape and host: the rest of an address is a token. Nothing is sent to them, and nothing asked:
 * only their names are resolved, to tell who would be refused.
 */
export async function examineAlerts(alerts: AlertSettings, resolve?: Resolve): Promise<Finding[]> {
  const { targets } = alerts;
  if (targets.length === 0) return [ok("ALERT_WEBHOOKS", "not set: nobody hears of events")];
  const set = targets.map(({ name, shape }) => `${name} (${shape})`).join(", ");
  const findings = await Promise.all(targets.map((target) => examineTarget(target, alerts, resolve)));
  return [ok("ALERT_WEBHOOKS", `${targets.length} set: ${set}`), ...findings];
}

async function examineTarget(
  { name, url }: AlertTarget,
  { privateHosts }: AlertSettings,
  resolve: Resolve | undefined,
): Promise<Finding> {
  const { hostname } = new URL(url);
  const subject = `alerts for ${name}`;
  let addresses: string[];
  try {
    addresses = await resolveHost(hostname, resolve);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return warning(subject, `${hostname} has no address (${code})`, "Check its url; alerts are tried again for a day.");
  }
  if (privateHosts) return ok(subject, `${hostname}; private hosts are allowed`);
  if (addresses.every(isPublicAddress)) return ok(subject, hostname);
  const advice = "Check its url, or set ALERT_PRIVATE_HOSTS=allow where that is meant.";
  return problem(subject, `${hostname} is refused: it has an address that is not public`, advice);
}
