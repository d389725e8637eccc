import type { ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import { isKey } from "./keys.ts";
import { S3Failure } from "./s3-errors.ts";
import type { ObjectHead } from "./store.ts";
import { toEtag } from "./s3-etag.ts";

/** Most that a page can have: the server's own limit. */
export const PAGE_KEYS = 1_000;

export interface Listing {
  /** What the keys of the store begin with in the bucket. */
  root: string;
  /** Leaves out every key up to and with this one, relative to the root. */
  startAfter: string;
  /** One page; the token is that of the page before. */
  fetchPage: (token: string | undefined) => Promise<ListObjectsV2CommandOutput>;
}

/**
 * All objects of a listing, page by page. What is no key of ours, such as the empty `folder/` that some tools make, is left
 * out.
 *
 * @throws {S3Failure} rather than give half a listing or one in another order: whoever folds the journal would take what is
 * missing for never observed. So when a page says that it goes on and not where, when what came is no listing, and when a
 * key does not come after the one before it in the order of bytes.
 */
export async function* listPages({ root, startAfter, fetchPage }: Listing): AsyncIterable<ObjectHead> {
  let last = startAfter;
  let token: string | undefined;
  do {
    const page = await fetchPage(token);
    for (const { Key = "", ETag, Size } of page.Contents ?? []) {
      const key = Key.slice(root.length);
      if (!Key.startsWith(root) || !isKey(key)) continue;
      if (key <= last)
        throw new S3Failure("InvalidListing", `${key} is listed after ${last}: not in the order of bytes`);
      if (Size === undefined) throw new S3Failure("InvalidListing", `${key} is listed without its size`);
      last = key;
      yield { key, etag: toEtag(ETag), size: Size };
    }
    token = toNextToken(page, token);
  } while (token !== undefined);
}

function toNextToken(page: ListObjectsV2CommandOutput, before: string | undefined): string | undefined {
  // Anything that is no listing (a login page, say) is read as one that is empty and lacks also this.
  if (page.IsTruncated === undefined) throw new S3Failure("InvalidListing", "the answer is no listing");
  if (!page.IsTruncated) return undefined;
  const token = page.NextContinuationToken;
  if (token === undefined || token === "" || token === before) {
    throw new S3Failure("InvalidListing", "the listing is truncated and does not say where it goes on");
  }
  return token;
}
