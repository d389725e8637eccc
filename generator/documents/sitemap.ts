import { toObjectKey } from "../contract/object-keys.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { compareText } from "../contract/lists.ts";
import { SITEMAP_ADDRESSES_MAX } from "../contract/text-schemas.ts";
import { toPageAddress } from "../contract/site-pages.ts";
import { isTimed, toHtml } from "./feed-entry.ts";
import type { View } from "./view.ts";

/**
 * Sorted by key rather than stake, and dated by events of full UTC days, so that it changes only
 * once a day and when the set changes.
 */
export function renderSitemap(view: View, siteUrl: string): DocumentOf<"sitemap"> | null {
  if (view.latestEpoch === null) return null;
  const { network } = view.ledger;
  const today = view.ledger.acceptance.newest?.time.slice(0, "YYYY-MM-DD".length) ?? "";
  const votes = view.listed().map(({ vote }) => vote);
  const rows = votes
    .sort(compareText)
    .slice(0, SITEMAP_ADDRESSES_MAX)
    .map((votePubkey) => {
      const address = siteUrl + toPageAddress(votePubkey, network);
      const events = view.eventsByVote().get(votePubkey) ?? [];
      const time =
        events.find((event) => isTimed(event) && (event.createdAt ?? "") < today)?.createdAt ??
        null;
      return `<url><loc>${toHtml(address)}</loc>${time === null ? "" : `<lastmod>${time}</lastmod>`}</url>\n`;
    });
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<!-- "/${toObjectKey(network, "sitemap", {})}" -->\n` +
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join("")}</urlset>\n`
  );
}
