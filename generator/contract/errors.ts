import { z } from "zod";

/** Every error code of v1 with its HTTP status. Codes are never removed or changed. */
export const ERROR_CODES = {
  bad_request: 400,
  invalid_network: 400,
  invalid_pubkey: 400,
  invalid_parameter: 400,
  validator_not_found: 404,
  location_not_found: 404,
  wallet_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  precondition_failed: 412,
  uri_too_long: 414,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  upstream_unavailable: 503,
} as const satisfies Record<string, number>;

/** A code of an error body, for programs. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Retry-After, in seconds, of answers whose data cannot be read. */
export const DATA_RETRY_SECONDS = 5;

/** Messages that proxy, edge function and nginx answer with alike. */
export const MESSAGES = {
  not_found:
    "Nothing is at this path: check its case, its ending (such as .svg), and that it has no " +
    "slash at the end. /api/v1/openapi.json lists all paths.",
  request_timeout: "The request must arrive whole within 20 s, and its head within 10 s.",
  internal_error: "Something went wrong on our side, not in your request. Try again later.",
  upstream_unavailable: `The data cannot be read at the moment: try again in ${DATA_RETRY_SECONDS} s.`,
} as const satisfies Partial<Record<ErrorCode, string>>;

/** The body of every answer with status 400 or above. */
export const errorSchema = z
  .object({
    error: z
      .object({
        code: z
          .enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]])
          .meta({
            description:
              "What went wrong, for programs. Codes never change within v1; new ones may be added.",
          }),
        message: z
          .string()
          .meta({
            description: "What is wrong and what is allowed, for people. The wording may change.",
          }),
        param: z
          .string()
          .optional()
          .meta({
            description:
              "Name of the parameter in path or query that is wrong; absent: it is none of them.",
          }),
      })
      .meta({ description: "The error." }),
  })
  .meta({ id: "Error", description: "The body of every answer with status 400 or above." });

/** The body of an error. */
export type ErrorBody = z.infer<typeof errorSchema>;
