import type { Network } from "../../../generator/contract/networks.ts";
import { toAddress } from "../../format/url.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { CopyButton } from "../../parts/values.tsx";

interface AlertsProps {
  network: Network;
  votePubkey: string;
}

export function Alerts({ network, votePubkey }: AlertsProps) {
  const path = `/feeds/${network}/validators/${votePubkey}.atom`;
  const feed = location.origin + path;
  return (
    <Card title="Get alerts" anchor="alerts" class="alerts">
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
      <details class="figures">
        <summary>Get it by mail, Telegram, Discord or Slack</summary>
        <Ways feed={feed} />
      </details>
      <details class="figures">
        <summary>Send alerts from your own copy of Rugwatch</summary>
        <Webhook network={network} votePubkey={votePubkey} />
      </details>
    </Card>
  );
}

function Ways({ feed }: { feed: string }) {
  const slack = `/feed subscribe ${feed}`;
  const mail = `r2e add rugwatch ${feed}`;
  return (
    <dl class="facts">
      <Fact name="Feed reader">
        Add the address above in Feedly, Thunderbird, NetNewsWire or any other reader.
      </Fact>
      <Fact name="Mail">
        Use a service that mails feeds, such as Blogtrottr or IFTTT, or rss2email on your own
        machine: <code class="breakable">{mail}</code>{" "}
        <CopyButton text={mail} what="the command for mail" />
      </Fact>
      <Fact name="Slack">
        Add Slack's own app “RSS”, then send this in a channel:{" "}
        <code class="breakable">{slack}</code>{" "}
        <CopyButton text={slack} what="the command for Slack" />
      </Fact>
      <Fact name="Discord">
        Add the address as a new feed in the bot MonitoRSS or in an IFTTT applet.
      </Fact>
      <Fact name="Telegram">
        Use an IFTTT applet from “RSS feed” to “Telegram”, or run a bot such as RSS-to-Telegram-Bot.
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
