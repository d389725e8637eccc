import { request, type Dispatcher } from "undici";
import type { AlertTarget } from "../../settings/alerts.ts";
import { isSuccess } from "../../rpc/error.ts";
import { parseRetryAfter } from "../../rpc/http.ts";
import { NOT_PUBLIC } from "./public-hosts.ts";
import type { Outcome } from "./queue.ts";
import type { AlertRequest } from "./shapes.ts";

/** An attempt takes no longer: who hangs is tried again later. */
const DELIVERY_MILLISECONDS = 10_000;
/** Longest that a target is believed when it asks to be left alone: as long as a message is tried. */
const RETRY_AFTER_MAX_MILLISECONDS = 24 * 60 * 60_000;
const GONE = 410;

const REASONS: Readonly<Record<string, string>> = {
  [NOT_PUBLIC]: "its host has an address that is not public; ALERT_PRIVATE_HOSTS=allow would allow it",
  TimeoutError: "no answer in time",
};

export interface DeliveryOptions {
  dispatcher: Dispatcher;
  /** Ends the attempt; its reason is thrown. */
  signal: AbortSignal;
  /** Most that an attempt may take. */
  milliseconds?: number;
}

/**
 * One attempt to deliver. Redirects are not followed, and what is answered beside the status is not read. A reason holds nothing
 * of the address and nothing that the target said.
 *
 * @throws the signal's reason once it is given: whether the message arrived is not known then
 */
export async function deliver(
  { url }: AlertTarget,
  { headers, body }: AlertRequest,
  { dispatcher, signal, milliseconds = DELIVERY_MILLISECONDS }: DeliveryOptions,
): Promise<Outcome> {
  const late = AbortSignal.timeout(milliseconds);
  try {
    const response = await request(url, {
      method: "POST",
      headers,
      body,
      dispatcher,
      signal: AbortSignal.any([signal, late]),
    });
    // Whoever destroys a body is told of it by an error.
    response.body.on("error", () => undefined).destroy();
    return judge(response);
  } catch (error) {
    signal.throwIfAborted();
    const code = late.aborted ? "TimeoutError" : toCode(error);
    return { delivered: false, reason: REASONS[code] ?? code, retryAfterMilliseconds: null, isForGood: false };
  }
}

/** 2xx is taken; 410 says that nobody is there any more (Standard Webhooks, «Deliverability»). */
function judge({ statusCode, headers }: Dispatcher.ResponseData): Outcome {
  if (isSuccess(statusCode)) return { delivered: true };
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const [retryAfter, date] = [headers["retry-after"], headers["date"]].map((one) =>
    typeof one === "string" ? one : null,
  );
  return {
    delivered: false,
    reason: `HTTP status ${statusCode}${isRedirect ? ", and redirects are not followed" : ""}`,
    retryAfterMilliseconds: parseRetryAfter(retryAfter ?? null, date ?? null, RETRY_AFTER_MAX_MILLISECONDS),
    isForGood: statusCode === GONE,
  };
}

/** Messages of libraries may hold the address: only codes are told. */
function toCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
