import type { Feed } from "../../../../generator/contract/feed.ts";
import { useUrl } from "../../../app/use-url.ts";
import { Card } from "../../../parts/Card.tsx";
import { CopyButton } from "../../../parts/CopyButton.tsx";

const FEEDS = [
  { feed: "events", title: "All changes" },
  { feed: "rug", title: "Rugs" },
  { feed: "caution", title: "Cautions" },
  { feed: "info", title: "The rest" },
] as const satisfies { feed: Feed; title: string }[];

/** How to be told of changes without asking. */
export function Feeds() {
  const { network } = useUrl();
  return (
    <Card title={`Feeds of ${network}`}>
      <div class="prose">
        <p>
          To be told of changes, subscribe to a feed: copy its address into a feed reader, which then shows each new
          change as an entry with its evidence. Readers that are given the address of this site find the feeds of
          mainnet. No account is needed, and nobody learns who subscribed.
        </p>
        <p>
          A feed has the newest 100 changes that a second reading confirmed or a transaction proves. Both formats say
          the same: Atom for readers, JSON Feed for programs. An entry keeps its id, so that a reader shows it once.
        </p>
      </div>
      <dl class="api-rows">
        {FEEDS.map(({ feed, title }) => (
          <div key={feed}>
            <dt>{title}</dt>
            <dd>
              <FeedLine path={`/feeds/${network}/${feed}.atom`} format="Atom" title={title} />
              <FeedLine path={`/feeds/${network}/${feed}.json`} format="JSON" title={title} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function FeedLine({ path, format, title }: { path: string; format: string; title: string }) {
  const address = location.origin + path;
  return (
    <p>
      <a href={path}>
        {format} <span class="visually-hidden">feed: {title}</span>
      </a>{" "}
      <code class="breakable">{address}</code>{" "}
      <CopyButton text={address} what={`the address of the ${format} feed: ${title}`} />
    </p>
  );
}
