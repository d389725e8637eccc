/** Advice by the code of an error of the system or of S3. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^(EACCES|EPERM)$/,
    "Give the user that Rugwatch runs as the right to read and write there (chown or chmod).",
  ],
  [/^EROFS$/, "The file system is read-only: mount it for writing, or choose another directory."],
  [
    /^(ENOSPC|EDQUOT|InsufficientStorage|XMinioStorageFull)$/,
    "The disk is full: make room, or raise its quota.",
  ],
  [
    /^(ENOTDIR|EEXIST)$/,
    "A file lies where the directory should be: move it away, or choose another directory.",
  ],
  [
    /^NoSuchBucket$/,
    "Create the bucket, or fix its name. If it exists, it may be elsewhere: see " +
      "AWS_ENDPOINT_URL_S3.",
  ],
  [
    /^AccessDenied$/,
    "Allow s3:GetObject, s3:PutObject, s3:DeleteObject on the objects and s3:ListBucket on " +
      "the bucket: without the last, what is missing is refused.",
  ],
  [
    /^(CredentialsProviderError|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken|Unauthorized)$/,
    "Look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or at the profile or role that " +
      "gives them.",
  ],
  [
    /^RequestTimeTooSkewed$/,
    "Set this machine's clock: S3 refuses requests a quarter of an hour off.",
  ],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed)$/,
    "Set AWS_REGION to the region of the bucket (auto for R2).",
  ],
  [
    /^DamagedBody$/,
    "If it stays so, put the object back from a backup, or move it out of the store.",
  ],
  [
    /^NotImplemented$/,
    "The server may not know checksums (set AWS_REQUEST_CHECKSUM_CALCULATION=when_required), " +
      "or has no conditional writes: then choose another.",
  ],
  [/^TimeoutError$/, "Check whether its disk or server hangs. In S3, look at AWS_ENDPOINT_URL_S3."],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|InvalidAnswer)$/,
    "Look at AWS_ENDPOINT_URL_S3, and whether the server can be reached.",
  ],
];

/**
 * Returns what the operator can do, by the first known code among an error of a store and its
 * causes; null: nothing is known.
 */
export function findStoreAdvice(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = "code" in cause ? String(cause.code) : "";
    const advice = ADVICE.find(([pattern]) => pattern.test(code))?.[1];
    if (advice !== undefined) return advice;
  }
  return null;
}
