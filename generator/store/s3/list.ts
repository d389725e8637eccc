import type { ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import { isKey } from "../keys.ts";
import { S3Failure } from "./errors.ts";
import type { ObjectHead } from "../store.ts";
import { toEtag } from "./etag.ts";

/** Most that a page can have: the server's own limit. */
export const PAGE_KEYS = 1_000;

/** Pages one after another without a key of ours. Some servers give an empty one now and then, for what was deleted. */
const BARREN_PAGES_MAX = 100;

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
 * missing for never observed. So when a page says that it goes on and not where, when what came is no listing, when a key
 * does not come after the one before it in the order of bytes, and when page after page has no key of ours.
 */
export async function* listPages({ root, startAfter, fetchPage }: Listing): AsyncIterable<ObjectHead> {
  let last = startAfter;
  let token: string | undefined;
  let barrenPages = 0;
  do {
    const page = await fetchPage(token);
    barrenPages += 1;
    for (const { Key = "", ETag, Size } of page.Contents ?? []) {
      const key = Key.slice(root.length);
      if (!Key.startsWith(root) || !isKey(key)) continue;
      if (key <= last)
        throw new S3Failure("InvalidListing", `${key} is listed after ${last}: not in the order of bytes`);
      if (Size === undefined) throw new S3Failure("InvalidListing", `${key} is listed without its size`);
      last = key;
      barrenPages = 0;
      yield { key, etag: toEtag(ETag), size: Size };
    }
    token = toNextToken(page, token);
    if (barrenPages === BARREN_PAGES_MAX)
      throw new S3Failure(
        "InvalidListing",
        `${BARREN_PAGES_MAX} pages of it have no object of this store: give it a prefix where nothing else lies`,
      );
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
