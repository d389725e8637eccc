import { S3Failure } from "./errors.ts";

/**
 * An ETag as all operations give it: some servers leave out the quotes here and not there, or mark it weak.
 *
 * @throws {S3Failure} when there is none: what answered is then hardly a store.
 */
export function toEtag(header: string | undefined): string {
  const value = /^(?:W\/)?"?([^"]+)"?$/.exec(header ?? "")?.[1];
  if (value === undefined) throw new S3Failure("InvalidAnswer", "the answer has no ETag: is this an S3 server?");
  return `"${value}"`;
}
