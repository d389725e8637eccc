import { RUG_PERCENT } from "../../../generator/contract/severity.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { FEED_VOTES_MAX, toFeedPath } from "../../format/feeds.ts";
import { readVotes, toAddress } from "../../format/url.ts";
import { toCounted, toPercent } from "../../format/values.ts";
import { FeedWays } from "../../parts/FeedWays.tsx";
import { Card, type CardProps } from "../../parts/Card.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { CopyButton } from "../../parts/values.tsx";
import { ValidatorName } from "../../parts/ValidatorName.tsx";
import { getWatched } from "../../parts/watchlist.ts";

/** All of them on one page of the list. */
const LIMIT = 100;

/** What can be followed: the validators in the address or of the watchlist, or all. */
export default function Alerts() {
  const { query, network } = useUrl();
  const named = readVotes(query["votes"], FEED_VOTES_MAX);
  const votes = named.length === 0 ? getWatched(network) : named;
  return (
    <div class="stack">
      <header class="page-header">
        <h1>Alerts</h1>
        <p>
          Hear of a rise before it costs you: an inflation commission is charged two epochs after it
          is set (sooner where a vote account is new to the validator set), so there is time to
          leave. An MEV commission counts at once. You need no account here. Each alert is a feed
          that Telegram, a mail service, Discord or a feed reader follows for you. A change is in
          its feed some minutes after it is on chain.
        </p>
      </header>
      <Some votes={votes} isWatchlist={named.length === 0} />
      <Feed
        title="Every rug"
        path={`/feeds/${network}/rug.atom`}
        about={`Each rise to ${toPercent(RUG_PERCENT)} or more on ${network}, of whichever validator.`}
        isOpen={votes.length === 0}
      />
      <Feed
        title="Every change"
        path={`/feeds/${network}/events.atom`}
        about={`All confirmed changes on ${network}, also falls and small rises: many a day.`}
      />
      <p class="note">
        For programs: <a href={toAddress("/api", { section: "feeds", network })}>all feeds</a>, also
        as JSON. A copy of Rugwatch of your own also posts to webhooks.
      </p>
    </div>
  );
}

function Some({ votes, isWatchlist }: { votes: readonly string[]; isWatchlist: boolean }) {
  const { network } = useUrl();
  const path = toFeedPath(network, votes);
  if (path === null)
    return (
      <Card title="Your validators">
        <p>
          Choose whom to follow: press the star beside{" "}
          <a href={toAddress("/validators", { network })}>validators</a>, or{" "}
          <a href={toAddress("/wallet", { network })}>show the stake of your wallet</a> and follow
          all that it is with.
        </p>
      </Card>
    );
  return (
    <Feed
      title={isWatchlist ? "Your watchlist" : "Your validators"}
      path={path}
      about={
        votes.length === 1
          ? "Every change of this validator's commissions."
          : `Every change of the commissions of these ${toCounted(votes.length, "validator")}, in one feed. It stays as it is: when you follow others, take the new address.`
      }
      isOpen
    >
      <Names votes={votes} />
    </Feed>
  );
}

function Names({ votes }: { votes: readonly string[] }) {
  const { network } = useUrl();
  const wanted = { votePubkeys: votes.join(","), limit: LIMIT };
  const listed = useDocument(documents.validators(network, wanted)).held?.document.data ?? [];
  return (
    <ul class="alert-names">
      {votes.map((votePubkey) => (
        <li key={votePubkey}>
          <ValidatorName
            votePubkey={votePubkey}
            name={listed.find((each) => each.votePubkey === votePubkey)?.name ?? null}
          />
        </li>
      ))}
    </ul>
  );
}

interface FeedProps extends Pick<CardProps, "title"> {
  path: string;
  about: string;
  isOpen?: boolean;
  children?: CardProps["children"];
}

function Feed({ title, path, about, isOpen = false, children }: FeedProps) {
  const feed = location.origin + path;
  return (
    <Card title={title}>
      <p>{about}</p>
      {children}
      <p class="alert-feed">
        <a class="key breakable" href={path}>
          {feed}
        </a>
        <CopyButton text={feed} what={`the address of the feed: ${title}`} />
      </p>
      {isOpen ? (
        <FeedWays feed={feed} />
      ) : (
        <details class="figures">
          <summary>How to follow it</summary>
          <FeedWays feed={feed} />
        </details>
      )}
    </Card>
  );
}
