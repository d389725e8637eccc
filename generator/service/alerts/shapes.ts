import { createHmac } from "node:crypto";
import type { Network } from "../../contract/networks.ts";
import { toEntryTitle, toValidatorLink } from "../../documents/feed-entry.ts";
import { toSecretBytes, type AlertTarget } from "../../settings/alerts.ts";
import type { AlertMessage } from "./record.ts";

/** With its link, unescaped, a sentence fits Discord's 2,000 characters. */
const SENTENCE_MAX_CODE_POINTS = 500;
/** Discord's flag for no link previews. */
const SUPPRESS_EMBEDS = 4;
const WORD_JOINER = "\u2060";

interface ShapeOptions {
  network: Network;
  siteUrl: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** The request that delivers a message, without its address. */
export interface AlertRequest {
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}

/** A validator's name is foreign text: in a chat it must not mention, link or format anything. */
export function toRequest(
  target: AlertTarget,
  message: AlertMessage,
  options: ShapeOptions,
): AlertRequest {
  const { event } = message;
  const link = toValidatorLink({ network: options.network, ...event }, options.siteUrl);
  const sentence = toSentence(message, options.network);
  switch (target.shape) {
    case "standard":
      return toStandard(target.secret, { message, link, ...options });
    case "discord": {
      const content = `${escapeMarkdown(sentence)}\n<${link}>`;
      return toJson({ content, allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS });
    }
    case "slack": {
      const text = escapeEntities(keepApart(sentence));
      const section = (block: object) => ({ type: "section", text: block });
      const open = `<${escapeEntities(link)}|Evidence>`;
      const blocks = [
        section({ type: "plain_text", text, emoji: false }),
        section({ type: "mrkdwn", text: open, verbatim: true }),
      ];
      return toJson({ text, blocks, unfurl_links: false, unfurl_media: false });
    }
    case "telegram": {
      // Without a parse mode nothing is markup, but links and mentions still work.
      const text = `${keepApart(sentence)}\n${link}`;
      return toJson({ chat_id: target.chat, text, link_preview_options: { is_disabled: true } });
    }
  }
}

/**
 * The header `webhook-signature` (https://www.standardwebhooks.com, «Signature scheme»).
 * @param timestamp of the attempt, in seconds since 1970
 */
export function toSignature(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  const hmac = createHmac("sha256", toSecretBytes(secret)).update(`${id}.${timestamp}.${body}`);
  return `v1,${hmac.digest("base64")}`;
}

function toStandard(
  secret: string,
  { message, link, network, now }: ShapeOptions & { message: AlertMessage; link: string },
): AlertRequest {
  const { id, type, event, queuedAt } = message;
  const timestamp = Math.floor(now / 1000);
  const happenedAt = type === "commission.changed" ? event.createdAt : queuedAt;
  const { headers, body } = toJson({
    type,
    timestamp: happenedAt,
    data: { ...event, network, link },
  });
  const signature = toSignature(secret, { id, timestamp, body });
  const signed = {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature,
  };
  return { headers: { ...headers, ...signed }, body };
}

function toSentence({ type, event }: AlertMessage, network: Network): string {
  const title = `${toEntryTitle(event)} (${network})`;
  const sentence =
    type === "commission.changed" ? title : `WITHDRAWN, this event no longer stands: ${title}`;
  return Array.from(sentence).slice(0, SENTENCE_MAX_CODE_POINTS).join("");
}

function toJson(value: object): AlertRequest {
  return {
    headers: { "content-type": "application/json", "user-agent": "Rugwatch" },
    body: JSON.stringify(value),
  };
}

/** Discord's Markdown: a backslash shows any punctuation as it is. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

/** As Slack asks (https://docs.slack.dev/messaging/formatting-message-text). */
function escapeEntities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Breaks links, mentions and commands in a name. */
function keepApart(text: string): string {
  return text.replaceAll(/[@#$/.:](?=\S)/g, `$&${WORD_JOINER}`);
}
