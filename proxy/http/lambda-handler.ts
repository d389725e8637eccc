import type { ServerRequest } from "srvx";
import { handleLambdaEvent, type AwsLambdaEvent } from "srvx/aws-lambda";
import { TARGET_MAX_CHARACTERS } from "./refusal.ts";
import { toApiAddress } from "../../generator/contract/addresses.ts";

/** An event of payload format 2.0, as a function URL or an HTTP API sends it: what is read of it. */
export interface LambdaEvent {
  rawPath: string;
  rawQueryString: string;
  /** Repeated ones are joined by commas already. */
  headers: Readonly<Record<string, string>>;
  requestContext: { http: { method: string; sourceIp: string } };
}

export interface LambdaResult {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  /** Of compressed answers. */
  isBase64Encoded?: boolean;
}

type Fetch = (request: Request) => Response | Promise<Response>;

/** The handler of a web app as a function of AWS Lambda. The sender of a request is `requestContext.http.sourceIp`. */
export function toLambdaHandler(fetch: Fetch) {
  return async (event: LambdaEvent, context: object): Promise<LambdaResult> => {
    let type = null as string | null;
    // As it was sent: a URL is longer.
    const target = event.rawPath + (event.rawQueryString && `?${event.rawQueryString}`);
    const isTooLong = target.length > TARGET_MAX_CHARACTERS;
    const send = async (request: ServerRequest) => {
      request.context = { isTooLong };
      const response = await fetch(request);
      type = response.headers.get("content-type");
      return withoutTextType(response);
    };
    const result = (await handleLambdaEvent(
      send,
      toRequestEvent(withApiAddress(event)),
      context as never,
    )) as LambdaResult;
    return type === null ? result : { ...result, headers: { ...result.headers, "content-type": type } };
  };
}

/** The adapter takes what is JSON for text, compressed or not. What has no type it hands over in base64. */
function withoutTextType(response: Response): Response {
  if (response.headers.has("content-encoding")) response.headers.delete("content-type");
  return response;
}

const FETCH_METHODS = /^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The adapter makes a URL of it, which not every host can stand in. The app answers the same whatever it was called by. */
const HOST = /^host$/i;

/** The event without what a Fetch Request refuses by throwing: the invocation would fail, and the client get a bare 502. */
function toRequestEvent({ rawPath, rawQueryString, headers, requestContext }: LambdaEvent): AwsLambdaEvent {
  const { method, sourceIp } = requestContext.http;
  const readable = Object.entries(headers).filter(
    ([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value) && !HOST.test(name),
  );
  return {
    version: "2.0",
    rawPath,
    rawQueryString,
    headers: Object.fromEntries(readable),
    // Fetch knows no TRACE or CONNECT. The app refuses them as it refuses POST.
    requestContext: { http: { method: FETCH_METHODS.test(method) ? method : "POST", sourceIp } },
    // No request of this API has a body, and Fetch refuses a GET with one.
    isBase64Encoded: false,
  };
}

/**
 * The event as if the API had been asked, where it asks for the key of a document. CloudFront's edge turns addresses into keys
 * of the bucket (infra/edge/), and what it made stays when the bucket has no such object and this function is asked instead:
 * then the answer must be that of the address, be it a 404 in the API's words or an empty list. The network is the key's, and
 * no other parameter counts. Whoever gets here without the edge only finds a document under its second name.
 */
export function withApiAddress(event: LambdaEvent): LambdaEvent {
  const address = toApiAddress(event.rawPath.slice(1));
  if (address === null) return event;
  return { ...event, rawPath: address.path, rawQueryString: `network=${address.network}` };
}
