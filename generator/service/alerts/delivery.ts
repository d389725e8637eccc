import { request, type Dispatcher } from "undici";
import type { AlertTarget } from "../../settings/alerts.ts";
import { isSuccess } from "../../rpc/error.ts";
import { parseRetryAfter } from "../../rpc/http.ts";
import { TRIED_MILLISECONDS, type DeliveryResult } from "./attempts.ts";
import { NOT_PUBLIC } from "./public-hosts.ts";
import type { AlertRequest } from "./shapes.ts";

/** A target that hangs is tried again later. */
const DELIVERY_MILLISECONDS = 10_000;
/**
 * The target refuses every message: 410 in Standard Webhooks («Deliverability»), 404 at Discord
 * and Slack.
 */
const REFUSES_ALL: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);
const CHECK_URL = "check its url in ALERT_WEBHOOKS";

const REASONS: Readonly<Record<string, string>> = {
  [NOT_PUBLIC]:
    "its host has an address that is not public; set ALERT_PRIVATE_HOSTS=allow if you mean it",
  TimeoutError: "no answer in time",
};

interface DeliveryOptions {
  dispatcher: Dispatcher;
  /** Ends the attempt; its reason is thrown. */
  signal: AbortSignal;
  milliseconds?: number;
}

/**
 * Follows no redirect and reads only status and headers. A reason
 * holds nothing of the address or of what the target said.
 * @throws the signal's reason: the message may have arrived then
 */
export async function deliver(
  { url }: AlertTarget,
  { headers, body }: AlertRequest,
  { dispatcher, signal, milliseconds = DELIVERY_MILLISECONDS }: DeliveryOptions,
): Promise<DeliveryResult> {
  const late = AbortSignal.timeout(milliseconds);
  try {
    const response = await request(url, {
      method: "POST",
      headers,
      body,
      dispatcher,
      signal: AbortSignal.any([signal, late]),
    });
    // Destroying a body raises an error on it.
    response.body.on("error", () => undefined).destroy();
    return judge(response);
  } catch (error) {
    signal.throwIfAborted();
    const code = late.aborted ? "TimeoutError" : toCode(error);
    return { delivered: false, reason: REASONS[code] ?? code, retryAfterMilliseconds: null };
  }
}

function judge({ statusCode, headers }: Dispatcher.ResponseData): DeliveryResult {
  if (isSuccess(statusCode)) return { delivered: true };
  const [retryAfter, date] = [headers["retry-after"], headers["date"]].map((one) =>
    typeof one === "string" ? one : null,
  );
  return {
    delivered: false,
    reason: toReason(statusCode),
    retryAfterMilliseconds: parseRetryAfter(retryAfter ?? null, date ?? null, TRIED_MILLISECONDS),
  };
}

function toReason(status: number): string {
  if (status >= 300 && status < 400)
    return `HTTP status ${status}, and redirects are not followed: ${CHECK_URL}`;
  return REFUSES_ALL.has(status) ? `HTTP status ${status}: ${CHECK_URL}` : `HTTP status ${status}`;
}

/** Only codes: messages of libraries may hold the address. */
function toCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
