/** By a code of the system or of S3, or by kind and message of an endpoint's failure; the first match counts. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^(EACCES|EPERM)$/, "Give the user that Rugwatch runs as the right to read and write there (chown or chmod)."],
  [/^EROFS$/, "The file system is read-only: mount it for writing, or choose another directory."],
  [
    /^(ENOSPC|EDQUOT|InsufficientStorage|XMinioStorageFull)$/,
    "The disk is full, here or at the S3 server: make room, or raise its quota.",
  ],
  [/^(ENOTDIR|EEXIST)$/, "A file lies where the directory should be: move it away, or choose another directory."],
  [/^NoSuchBucket$/, "Create the bucket, or fix its name. If it exists, it may be elsewhere: see AWS_ENDPOINT_URL_S3."],
  [
    /^AccessDenied$/,
    "Allow s3:GetObject, s3:PutObject, s3:DeleteObject on the objects and s3:ListBucket on the bucket: without the last, what is missing is refused.",
  ],
  [
    /^(CredentialsProviderError|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken|Unauthorized)$/,
    "Look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or at the profile or role that gives them.",
  ],
  [/^RequestTimeTooSkewed$/, "Set this machine's clock: S3 refuses requests of another quarter of an hour."],
  [/^(PermanentRedirect|AuthorizationHeaderMalformed)$/, "Set AWS_REGION to the region of the bucket (auto for R2)."],
  [/^DamagedBody$/, "If it stays so, put the object back from a backup, or move it out of the store."],
  [
    /^NotImplemented$/,
    "The server may not know checksums (set AWS_REQUEST_CHECKSUM_CALCULATION=when_required), or has no conditional writes: then choose another.",
  ],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|TimeoutError|InvalidAnswer)$/,
    "Look at AWS_ENDPOINT_URL_S3, and whether the server can be reached.",
  ],
  [
    /^network .*(ENOTFOUND|EAI_AGAIN)/,
    "The name is not found: check its spelling, and this machine's DNS and internet.",
  ],
  [/^network .*ECONNREFUSED/, "Nothing listens there: check host and port, and whether the node runs."],
  [/^network .*(CERT|TLS|SSL)/, "No trustworthy TLS: check the certificate, and whether it should be http."],
  [/^network /, "Check the address, and this machine's way there."],
  [/^timeout /, "It is too slow, hangs, or a firewall is in the way: choose another, or one nearer to this machine."],
  [/^forbidden /, "It refuses this machine: check the key in its address."],
  [/^(limited|resting) /, "It allows no more requests for now: ask less often, or get a larger plan."],
  [/^behind /, "It is left out until it has caught up; if it stays so, choose another."],
  [/^http .*status 404/, "No JSON-RPC at this path: check the address."],
  [/^http .*status 5/, "It is out of service: wait, or choose another."],
  [/ /, "It does not serve what Rugwatch needs: choose an endpoint of an Agave-family node."],
];

/** @param failure a code, or kind and message as in `forbidden getHealth: HTTP status 403` */
export function findAdvice(failure: string): string | null {
  return ADVICE.find(([pattern]) => pattern.test(failure))?.[1] ?? null;
}

/** By the first known code among an error of a store and its causes. */
export function findStoreAdvice(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const advice = "code" in cause ? findAdvice(String(cause.code)) : null;
    if (advice !== null) return advice;
  }
  return null;
}
