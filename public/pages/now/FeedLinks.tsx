import type { Severity } from "../../../generator/contract/event.ts";
import { toAddress } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";

/** The feeds of what the list shows, for who wants to be told and not to look. */
export function FeedLinks({ severity }: { severity: Severity | "all" }) {
  const { network } = useUrl();
  const feed = severity === "all" ? "events" : severity.toLowerCase();
  return (
    <p class="note feed-links">
      Be told of new {severity === "all" ? "changes" : `${severity} changes`}:{" "}
      <a href={`/feeds/${network}/${feed}.atom`}>Atom feed</a>, <a href={`/feeds/${network}/${feed}.json`}>JSON Feed</a>{" "}
      · <a href={toAddress("/api", { section: "feeds", network })}>All feeds</a>
    </p>
  );
}
