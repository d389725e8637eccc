import type { H3Event } from "h3";
import { NOT_FOUND_PAGE, UNAVAILABLE_PAGE } from "../../generator/contract/page-shell.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { readPageAddress } from "../../generator/contract/site-pages.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { always, toAgeHeaders } from "../cache/cache.ts";
import type { Documents } from "../cache/documents.ts";
import { ApiError, notFound } from "../errors.ts";
import { respond, respondWithErrorPage } from "../http/respond.ts";
import type { Site } from "../site.ts";

interface PagesOptions {
  site: Site | null;
  documents: Documents;
}

/** Answers GET and HEAD with a file or page of the site; undefined: the API answers. */
export function createPages({ site, documents }: PagesOptions) {
  async function answerValidator(
    event: H3Event,
    network: Network,
    votePubkey: string,
  ): Promise<Response> {
    const { value, ...age } = await documents.get(network, "page", { votePubkey });
    if (value !== null) return respond(event, { ...age, value });
    throw new ApiError("validator_not_found", OBJECTS.page.whenMissing(network, votePubkey), {
      headers: toAgeHeaders(age),
    });
  }

  return async (event: H3Event): Promise<Response | undefined> => {
    const { method } = event.req;
    if (method !== "GET" && method !== "HEAD") return undefined;
    const { pathname, search } = event.url;
    const file = site?.find(pathname) ?? null;
    if (file !== null) return respond(event, always(file));
    const address = readPageAddress(pathname, search.slice(1));
    if (address === null && site?.isPage(pathname) !== true) return undefined;
    try {
      if (address === null) throw notFound();
      return await answerValidator(event, address.network, address.votePubkey);
    } catch (error) {
      const page = site !== null && error instanceof ApiError ? PAGES[error.status] : undefined;
      if (page === undefined) throw error;
      return respondWithErrorPage(event, error as ApiError, page);
    }
  };
}

const PAGES: Readonly<Record<number, string>> = { 404: NOT_FOUND_PAGE, 503: UNAVAILABLE_PAGE };
