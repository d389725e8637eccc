interface S3Address {
  bucket: string;
  /** Prefix of all keys: empty, or ending with a slash. */
  prefix: string;
}

/**
 * Names of buckets by https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html,
 * without its rules on reserved beginnings and ends.
 */
const BUCKET = /^[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]$/;

/** «Safe characters» of the S3 user guide's page on object keys: they need no quoting anywhere. */
const PREFIX_PART = /^[\w!.*'()-]+$/;

/** A quarter of the 1,024 bytes that a key may have. */
const PREFIX_LENGTH_MAX = 256;

/**
 * Parses `s3://BUCKET/PREFIX`, with or without the prefix.
 * @throws {Error} that never shows the address, which may hold a secret
 */
export function parseS3Address(url: string): S3Address {
  const [, bucket = "", path = ""] = /^s3:\/\/([^/]*)\/?(.*?)\/?$/s.exec(url) ?? [];
  if (!BUCKET.test(bucket)) {
    throw new Error(
      "The bucket of s3://BUCKET/PREFIX must have 3 to 63 characters: small letters, digits, " +
        "hyphens and dots, with a letter or digit at both ends.",
    );
  }
  if (path.length > PREFIX_LENGTH_MAX) {
    throw new Error(
      `The prefix of s3://BUCKET/PREFIX must not be longer than ${PREFIX_LENGTH_MAX} characters.`,
    );
  }
  if (path !== "" && !path.split("/").every(isPrefixPart)) {
    throw new Error(
      "The prefix of s3://BUCKET/PREFIX must be parts of letters, digits and ! _ . * ' ( ) - " +
        "with one slash between them; no part may be . or ..",
    );
  }
  return { bucket, prefix: path === "" ? "" : `${path}/` };
}

function isPrefixPart(part: string): boolean {
  return PREFIX_PART.test(part) && part !== "." && part !== "..";
}
