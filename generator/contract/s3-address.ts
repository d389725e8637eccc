interface S3Address {
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html,
 * but for reserved beginnings and ends.
 */
const BUCKET = /^[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]$/;

/** They need no quoting anywhere: «safe characters» of the S3 user guide's page on object keys. */
const PREFIX_PART = /^[\w!.*'()-]+$/;

/** A quarter of what a key may have. */
const PREFIX_LENGTH_MAX = 256;

/** @throws {Error} never with the address: it may hold a secret. */
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
