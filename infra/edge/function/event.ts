import type { EdgeHeaders } from "../table.ts";

/** What CloudFront hands a function for each viewer request, as far as it is read here. */
export interface ViewerEvent {
  request: ViewerRequest;
}

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html#functions-event-structure-request */
export interface ViewerRequest {
  readonly method: string;
  /** The path, escaped as it was sent. */
  uri: string;
  /** Its parameters when it is handed over; a function may put a query's text in their place. */
  querystring: object | string;
  /**
   * The query as it was sent, without the question mark; undefined: there was none.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/general-helper-methods.html#raw-query-string-method
   */
  rawQueryString(): string | undefined;
}

/** An answer of the edge itself. Length and date are CloudFront's. */
export interface EdgeResponse {
  statusCode: number;
  statusDescription: string;
  headers: EdgeHeaders;
  body?: { encoding: "text"; data: string };
}
