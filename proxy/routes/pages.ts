import type { H3Event } from "h3";
import { NOT_FOUND_PAGE, UNAVAILABLE_PAGE } from "../../generator/contract/page-shell.ts";
import { readPageAddress } from "../../generator/contract/site-pages.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { FORMS } from "../../generator/contract/forms.ts";
import { PAGE_HEADERS } from "../cache/answer.ts";
import type { Documents } from "../cache/documents.ts";
import type { Snapshots } from "../cache/snapshots.ts";
import type { Variants } from "../cache/variants.ts";
import { ApiError } from "../http/errors.ts";
import { ApiResponse, respondWith } from "../http/reply.ts";
import type { Site } from "../site.ts";
import { unknownValidator } from "./documents.ts";

interface PagesOptions {
  site: Site | null;
  documents: Documents;
  snapshots: Snapshots;
  variants: Variants;
}

/** Answers with a file or page of the site; undefined: the API answers. */
export type AnswerPage = (event: H3Event) => Promise<Response | undefined>;

export function createPages({ site, documents, snapshots, variants }: PagesOptions): AnswerPage {
  async function answerValidator(event: H3Event, network: Network, votePubkey: string): Promise<Response> {
    // No limit counts here, so a made-up key must not reach the store, even while no index is held.
    const isKnown = (await snapshots.isKnown(network, { votePubkey })).value;
    const reading = isKnown ? await documents.get(network, "page", { votePubkey }) : null;
    // Not fresh: node-server.ts would repeat it like an answer of the API, and count it.
    if (reading?.value != null)
      return respondWith(event, { reading: { ...reading, value: reading.value, freshUntil: 0 }, variants });
    throw new ApiError("validator_not_found", unknownValidator(network, votePubkey));
  }

  return async (event) => {
    const { method } = event.req;
    if (method !== "GET" && method !== "HEAD") return undefined;
    const { pathname, search } = event.url;
    const file = site?.find(pathname) ?? null;
    if (file !== null) return respondWith(event, file);
    const address = readPageAddress(pathname, search.slice(1));
    if (address === null) return site?.isPage(pathname) === true ? respondWithPage(event, 404) : undefined;
    try {
      return await answerValidator(event, address.network, address.votePubkey);
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 500;
      if (site === null || (status !== 404 && status !== 503)) throw error;
      return respondWithPage(event, status, (error as ApiError).headers);
    }
  };
}

const PAGES = { 404: Buffer.from(NOT_FOUND_PAGE), 503: Buffer.from(UNAVAILABLE_PAGE) };

function respondWithPage(event: H3Event, status: keyof typeof PAGES, more: Readonly<Record<string, string>> = {}) {
  const body = PAGES[status];
  const headers = {
    ...more,
    "cache-control": CACHE_CLASSES.error,
    "content-type": FORMS.page.contentType,
    "content-length": String(body.byteLength),
  };
  return new ApiResponse(event, { status, headers: [...PAGE_HEADERS, ...Object.entries(headers)], body });
}
