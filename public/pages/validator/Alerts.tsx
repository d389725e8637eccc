import type { Network } from "../../../generator/contract/networks.ts";
import { toAddress } from "../../format/url.ts";
import { FeedWays } from "../../parts/FeedWays.tsx";
import { Card } from "../../parts/Card.tsx";
import { CopyButton } from "../../parts/values.tsx";

interface AlertsProps {
  network: Network;
  votePubkey: string;
}

export function Alerts({ network, votePubkey }: AlertsProps) {
  const path = `/feeds/${network}/validators/${votePubkey}.atom`;
  const feed = location.origin + path;
  return (
    <Card title="Get alerts" anchor="alerts" class="alerts" folds="on phones">
      <p>
        Subscribe to this feed: it announces each change of this validator's commissions within
        minutes, the first one too. You need no account.
      </p>
      <p class="feed-address">
        <a class="key breakable" href={path}>
          {feed}
        </a>{" "}
        <CopyButton text={feed} what="the feed's address" />{" "}
        <a href={path.replace(/\.atom$/, ".json")}>as JSON Feed</a>
      </p>
      <FeedWays feed={feed} />
      <details class="figures">
        <summary>Send alerts from your own copy of Rugwatch</summary>
        <Webhook network={network} votePubkey={votePubkey} />
      </details>
    </Card>
  );
}

function Webhook({ network, votePubkey }: { network: Network; votePubkey: string }) {
  const target = {
    name: "my-validator",
    shape: "discord",
    url: "https://discord.com/api/webhooks/<id>/<token>",
    networks: [network],
    validators: [votePubkey],
  };
  const text = `ALERT_WEBHOOKS='${JSON.stringify([target])}'`;
  return (
    <>
      <p>
        A copy of Rugwatch can post to Discord, Slack, Telegram or any signed webhook as soon as a
        change is confirmed. For this validator, set:
      </p>
      <pre class="body" tabIndex={0} role="region" aria-label="Setting for alerts">
        {text}
      </pre>
      <p>
        <CopyButton text={text} what="the setting" /> The{" "}
        <a href={toAddress("/api", { section: "feeds", network })}>API reference</a> lists all
        feeds.
      </p>
    </>
  );
}
