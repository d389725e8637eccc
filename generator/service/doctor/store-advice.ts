const ADVICE = {
  "EACCES EPERM": "Give the user that Rugwatch runs as the right to read and write there (chown or chmod).",
  EROFS: "The file system is read-only: mount it for writing, or choose another directory.",
  ENOSPC: "The disk is full: make room, or choose another disk.",
  "InsufficientStorage XMinioStorageFull": "The disk of the S3 server is full: make room there.",
  EDQUOT: "The disk quota is used up: make room, or have it raised.",
  "ENOTDIR EEXIST": "A file lies where the directory should be: move it away, or choose another directory.",
  EMFILE: "Too many files are open: raise the limit (ulimit -n).",
  EIO: "The disk reports an error: look at the system's log.",
  NoSuchBucket: "Create the bucket, or fix its name. If it exists, it may be elsewhere: see AWS_ENDPOINT_URL_S3.",
  AccessDenied:
    "Allow s3:GetObject, s3:PutObject, s3:DeleteObject on the objects and s3:ListBucket on the bucket: without the last, what is missing is refused.",
  "CredentialsProviderError InvalidAccessKeyId SignatureDoesNotMatch ExpiredToken InvalidToken Unauthorized":
    "Look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or at the profile or role that gives them.",
  RequestTimeTooSkewed: "Set this machine's clock: S3 refuses requests of another quarter of an hour.",
  "PermanentRedirect AuthorizationHeaderMalformed": "Set AWS_REGION to the region of the bucket (auto for R2).",
  "ECONNREFUSED ENOTFOUND EAI_AGAIN TimeoutError InvalidAnswer":
    "Look at AWS_ENDPOINT_URL_S3, and whether the server runs and can be reached from here.",
  DamagedBody: "If it stays so, put the object back from a backup, or move it out of the store: what is left is used.",
  NotImplemented:
    "The server may not know checksums (set AWS_REQUEST_CHECKSUM_CALCULATION=when_required), or has no conditional writes: then choose another.",
};

const BY_CODE = new Map(
  Object.entries(ADVICE).flatMap(([codes, advice]) => codes.split(" ").map((code) => [code, advice] as const)),
);

/** What to do about a store that threw an error with a known code; null: unknown. */
export function findStoreAdvice(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const advice = "code" in cause ? BY_CODE.get(String(cause.code)) : undefined;
    if (advice !== undefined) return advice;
  }
  return null;
}
