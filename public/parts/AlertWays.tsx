import type { ComponentChildren } from "preact";
import { CopyButton } from "./values.tsx";
import "../style/alert-ways.css";

/** The ways to follow a feed, each with its steps. @param feed absolute address */
export function AlertWays({ feed }: { feed: string }) {
  const telegram = `/subscribe ${feed}`;
  const slack = `/feed subscribe ${feed}`;
  const mail = `r2e add rugwatch ${feed}`;
  return (
    <div class="alert-ways">
      <Way name="Telegram" minutes={2} delay="minutes; it asks every minute, its authors say">
        <li>
          Open a chat with a feed bot, such as <code>@el_monitorro_bot</code>, and press Start.
        </li>
        <li>
          Send it: <Copied text={telegram} what="the message for Telegram" />
        </li>
      </Way>
      <Way name="E-mail" minutes={3} delay="up to some hours, as the service asks when it likes">
        <li>Open a service that mails feeds, such as Blogtrottr.</li>
        <li>
          Give it the feed's address and your own; choose “Real time”; confirm the mail that comes.
        </li>
        <li>
          With a machine of your own, rss2email asks as often as you let it:{" "}
          <Copied text={mail} what="the command for mail" />
        </li>
      </Way>
      <Way name="Discord or Slack" minutes={5} delay="about ten minutes to an hour">
        <li>
          Discord: invite the bot MonitoRSS to your server, and add the address as a new feed.
        </li>
        <li>
          Slack: add Slack's own app “RSS”, and send in a channel:{" "}
          <Copied text={slack} what="the command for Slack" />
        </li>
      </Way>
      <Way
        name="RSS"
        minutes={1}
        delay="as often as your reader asks: set it to 15 minutes or less"
      >
        <li>Add the address in Thunderbird, NetNewsWire, Feedly or any other reader.</li>
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
  children: ComponentChildren;
}

function Way({ name, minutes, delay, children }: WayProps) {
  return (
    <details class="alert-way">
      <summary>
        <strong>{name}</strong>{" "}
        <span class="quiet">
          {minutes} {minutes === 1 ? "minute" : "minutes"} to set up
        </span>
      </summary>
      <ol>{children}</ol>
      <p class="quiet">Then on its way: {delay}.</p>
    </details>
  );
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <>
      <code class="breakable">{text}</code> <CopyButton text={text} what={what} />
    </>
  );
}
