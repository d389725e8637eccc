import type { H3Event } from "h3";
import { NOT_FOUND_PAGE, UNAVAILABLE_PAGE } from "../../generator/contract/page-shell.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { readPageAddress } from "../../generator/contract/site-pages.ts";
import type { Network } from "../../generator/contract/networks.ts";
import type { Documents } from "../cache/documents.ts";
import type { Snapshots } from "../cache/snapshots.ts";
import type { Variants } from "../cache/variants.ts";
import { ApiError, notFound } from "../errors.ts";
import { ApiResponse, respondWith, toErrorReply } from "../http/reply.ts";
import type { Site } from "../site.ts";

interface PagesOptions {
  site: Site | null;
  documents: Documents;
  snapshots: Snapshots;
  variants: Variants;
}

/** Answers GET and HEAD with a file or page of the site; undefined: the API answers. */
export function createPages({ site, documents, snapshots, variants }: PagesOptions) {
  async function answerValidator(
    event: H3Event,
    network: Network,
    votePubkey: string,
  ): Promise<Response> {
    // No limit counts here, so a made-up key must not reach the store, even while no index is held.
    const isKnown = (await snapshots.isKnown(network, { votePubkey })).value;
    const cached = isKnown ? await documents.get(network, "page", { votePubkey }) : null;
    // Not fresh: node-server.ts would repeat it like an answer of the API, and count it.
    if (cached?.value != null)
      return respondWith(event, {
        cached: { ...cached, value: cached.value, freshUntil: 0 },
        variants,
      });
    throw new ApiError("validator_not_found", OBJECTS.page.whenMissing(network, votePubkey));
  }

  return async (event: H3Event): Promise<Response | undefined> => {
    const { method } = event.req;
    if (method !== "GET" && method !== "HEAD") return undefined;
    const { pathname, search } = event.url;
    const file = site?.find(pathname) ?? null;
    if (file !== null) return respondWith(event, file);
    const address = readPageAddress(pathname, search.slice(1));
    if (address === null && site?.isPage(pathname) !== true) return undefined;
    try {
      if (address === null) throw notFound();
      return await answerValidator(event, address.network, address.votePubkey);
    } catch (error) {
      const page = site !== null && error instanceof ApiError ? PAGES[error.status] : undefined;
      if (page === undefined) throw error;
      return new ApiResponse(event, toErrorReply(error as ApiError, page));
    }
  };
}

const PAGES: Readonly<Record<number, string>> = { 404: NOT_FOUND_PAGE, 503: UNAVAILABLE_PAGE };
