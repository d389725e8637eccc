import type { Network } from "../../../generator/contract/networks.ts";
import { toAddress } from "../../format/url.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { CopyButton } from "../../parts/values.tsx";

interface AlertsProps {
  network: Network;
  votePubkey: string;
  /** Whether it has a feed: a validator gets one with its first change. null: not read yet. */
  hasFeed: boolean | null;
}

/** How to be told of the next change: every way begins with a feed, which needs no account here. */
export function Alerts({ network, votePubkey, hasFeed }: AlertsProps) {
  const own = `/feeds/${network}/validators/${votePubkey}.atom`;
  const path = hasFeed === false ? `/feeds/${network}/rug.atom` : own;
  const feed = location.origin + path;
  return (
    <Card title="Get alerts" class="alerts">
      <p>
        {hasFeed === false
          ? "It never changed a commission, so it has no feed of its own yet. Until then this feed shows every rug on the network:"
          : "This feed shows each change of its commissions within minutes. You need no account."}
      </p>
      <p class="feed-address">
        <a class="key breakable" href={path}>
          {feed}
        </a>{" "}
        <CopyButton text={feed} what="the address of the feed" />{" "}
        {hasFeed !== false && <a href={own.replace(/\.atom$/, ".json")}>as JSON Feed</a>}
      </p>
      <details class="figures">
        <summary>Bring it to mail, Telegram, Discord or Slack</summary>
        <Ways feed={feed} />
      </details>
      <details class="figures">
        <summary>Push it from a copy of your own</summary>
        <Webhook network={network} votePubkey={votePubkey} />
      </details>
    </Card>
  );
}

/** What people use already: each takes the address of a feed. */
function Ways({ feed }: { feed: string }) {
  const slack = `/feed subscribe ${feed}`;
  const mail = `r2e add rugwatch ${feed}`;
  return (
    <dl class="facts">
      <Fact name="Feed reader">Subscribe to the address above, in Feedly, Thunderbird, NetNewsWire or any other.</Fact>
      <Fact name="Mail">
        A service that mails feeds, such as Blogtrottr or IFTTT; or rss2email on a machine of yours:{" "}
        <code class="breakable">{mail}</code> <CopyButton text={mail} what="the command for mail" />
      </Fact>
      <Fact name="Slack">
        With Slack's own app «RSS», in a channel: <code class="breakable">{slack}</code>{" "}
        <CopyButton text={slack} what="the command for Slack" />
      </Fact>
      <Fact name="Discord">With the bot MonitoRSS, or an applet of IFTTT: add the address as a new feed.</Fact>
      <Fact name="Telegram">
        With an applet of IFTTT from «RSS feed» to «Telegram», or a bot of your own, such as RSS-to-Telegram-Bot.
      </Fact>
    </dl>
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
        Who runs a copy of Rugwatch can have it write to Discord, Slack, Telegram or any address that takes signed
        webhooks, as soon as a change is confirmed. For this validator:
      </p>
      <pre class="body" tabIndex={0} role="region" aria-label="Setting for alerts">
        {text}
      </pre>
      <p>
        <CopyButton text={text} what="the setting" /> For all feeds there are, see the{" "}
        <a href={toAddress("/api", { section: "feeds", network })}>API reference</a>.
      </p>
    </>
  );
}
