import type { ServerRequest } from "srvx";
import { handleLambdaEvent, type AwsLambdaEvent } from "srvx/aws-lambda";
import { noteRefusal } from "./early-refusal.ts";
import { findTooLong } from "./refusal.ts";

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
    const tooLong = findTooLong(event.rawPath + (event.rawQueryString && `?${event.rawQueryString}`));
    const send = async (request: ServerRequest) => {
      if (tooLong !== null) noteRefusal(request, tooLong);
      const response = await fetch(request);
      type = response.headers.get("content-type");
      return withoutTextType(response);
    };
    const result = (await handleLambdaEvent(send, toRequestEvent(event), context as never)) as LambdaResult;
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
