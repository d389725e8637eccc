import type { ComponentChildren } from "preact";
import { CopyButton } from "./values.tsx";
import "../style/feed-ways.css";

/**
 * The ways to follow a feed, each with its steps and the link that begins them; those of Telegram
 * and e-mail show at once.
 * @param feed its absolute address
 */
export function FeedWays({ feed }: { feed: string }) {
  const telegram = `/subscribe ${feed}`;
  const slack = `/feed subscribe ${feed}`;
  const mail = `r2e add rugwatch ${feed}`;
  return (
    <div class="feed-ways">
      <Way
        name="Telegram"
        minutes={2}
        delay="minutes: its authors say that it asks every minute"
        isOpen
      >
        <li>
          <Elsewhere href="https://t.me/el_monitorro_bot">Open the bot in Telegram</Elsewhere>{" "}
          <code>@el_monitorro_bot</code>, and press Start.
        </li>
        <li>
          Send it: <Copied text={telegram} what="the message for Telegram" />
        </li>
      </Way>
      <Way
        name="E-mail"
        minutes={3}
        delay="up to some hours: the service decides when it asks"
        isOpen
        instead={
          <>
            On a machine of your own, rss2email asks as often as you let it:{" "}
            <Copied text={mail} what="the command for mail" />
          </>
        }
      >
        <li>
          <Elsewhere href="https://blogtrottr.com/">Open Blogtrottr</Elsewhere>, which mails feeds.
        </li>
        <li>
          Give it the feed's address, <CopyButton text={feed} what="the feed's address for mail" />,
          and your own; choose “Real time”; confirm the mail that comes.
        </li>
      </Way>
      <Way name="Discord or Slack" minutes={5} delay="about ten minutes to an hour">
        <li>
          Discord: <Elsewhere href="https://monitorss.xyz/">Invite MonitoRSS</Elsewhere> to your
          server, and add the feed's address,{" "}
          <CopyButton text={feed} what="the feed's address for Discord" />, as a new feed.
        </li>
        <li>
          Slack: add Slack's own app “RSS”, and send in a channel:{" "}
          <Copied text={slack} what="the command for Slack" />
        </li>
      </Way>
      <Way
        name="RSS"
        minutes={1}
        delay="as long as your reader waits before it asks again: set it to 15 minutes or less"
      >
        <li>
          <a class="button" href={feed}>
            Open the feed
          </a>{" "}
          or <CopyButton text={feed} what="the feed's address for a reader" /> its address.
        </li>
        <li>Add it in Thunderbird, NetNewsWire, Feedly or any other reader.</li>
      </Way>
    </div>
  );
}

interface WayProps {
  name: string;
  /** To set it up. */
  minutes: number;
  /** From our feed to the reader. */
  delay: string;
  isOpen?: boolean;
  /** Another way to the same. */
  instead?: ComponentChildren;
  children: ComponentChildren;
}

/** Of a service of somebody else. */
function Elsewhere({ href, children }: { href: string; children: string }) {
  return (
    <a class="button" href={href} target="_blank" rel="noreferrer">
      {children}
      <span class="visually-hidden"> (new page)</span>
    </a>
  );
}

function Way({ name, minutes, delay, isOpen = false, instead, children }: WayProps) {
  return (
    <details class="feed-way" open={isOpen}>
      <summary>
        <strong>{name}</strong>{" "}
        <span class="quiet">
          {minutes} {minutes === 1 ? "minute" : "minutes"} to set up
        </span>
      </summary>
      <ol>{children}</ol>
      <p class="quiet">A message then takes {delay}.</p>
      {instead !== undefined && <p class="quiet">{instead}</p>}
    </details>
  );
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <>
      <CopyButton text={text} what={what} />
      <code class="body feed-command breakable" tabIndex={0}>
        {text}
      </code>
    </>
  );
}
