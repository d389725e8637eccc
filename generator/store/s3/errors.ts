/**
 * A failure of S3 in our own words. The SDK's errors never leave the store: some carry the signed
 * request, the key, or text of the server.
 */
export class S3Failure extends Error {
  override readonly name = "S3Failure";
  /**
   * Code of S3, Node or the SDK, such as `SlowDown`, `AccessDenied`, `ECONNREFUSED` or
   * `TimeoutError`.
   */
  readonly code: string;
  /**
   * The message as it was made: the SDK adds hints to the message of errors that pass through it.
   */
  readonly ownMessage: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
    this.ownMessage = message;
  }
}

/** Returns the HTTP status of an error of the SDK; undefined: it has none. */
export function statusOf(error: unknown): number | undefined {
  const metadata = property(error, "$metadata");
  const status = property(metadata, "httpStatusCode");
  return typeof status === "number" ? status : undefined;
}

/** Returns how many attempts the SDK made before an error; 1 if the error does not say. */
export function attemptsOf(error: unknown): number {
  const attempts = property(property(error, "$metadata"), "attempts");
  return typeof attempts === "number" ? attempts : 1;
}

/**
 * Returns the code of an error: of S3
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html), or of the system.
 * `Unknown`: it has no plain code.
 */
export function codeOf(error: unknown): string {
  // The SDK calls a broken connection a time-out; the system's code is more precise.
  for (const code of [property(error, "code"), property(error, "name")]) {
    if (typeof code === "string" && code !== "Error" && /^[A-Za-z0-9_.]{1,64}$/.test(code))
      return code;
  }
  return "Unknown";
}

/**
 * Converts any error into a failure whose message holds nothing of the server.
 * @param deadlineHasPassed whether our own deadline ended the operation
 */
export function toFailure(error: unknown, deadlineHasPassed: boolean): S3Failure {
  if (error instanceof S3Failure) return new S3Failure(error.code, error.ownMessage);
  if (deadlineHasPassed)
    return new S3Failure("TimeoutError", "no whole answer before the deadline (time-out)");
  const [code, status, attempts] = [codeOf(error), statusOf(error), attemptsOf(error)];
  const known = EXPLANATIONS[code];
  const parts = [
    code === "Unknown" ? "the answer was not understood" : code,
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(known === undefined ? [] : [known]),
  ];
  return new S3Failure(code, parts.join(", "));
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  NoSuchBucket: "there is no such bucket",
  CredentialsProviderError: "no credentials were found",
  TimeoutError: "no answer in time (time-out)",
  ETIMEDOUT: "no answer in time (time-out)",
  NotImplemented: "the server does not support this request",
  PermanentRedirect: "the bucket is in another region",
  AuthorizationHeaderMalformed: "the bucket is in another region",
};

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
