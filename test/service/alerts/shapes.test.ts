import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../generator/contract/openapi.ts";
import type { AlertMessage } from "../../../generator/service/alerts/record.ts";
import { toRequest, toSignature } from "../../../generator/service/alerts/shapes.ts";
import type { AlertTarget } from "../../../generator/settings/alerts.ts";
import { voteOf } from "../../documents/fixtures.ts";
import { createSchemaCheck } from "../../proxy/fuzz/json-schema.ts";
import { eventOf, NOW, SECRET, targetOf } from "./events.ts";

interface Webhook {
  post: { parameters: { name: string }[] };
}

const HOSTILE = "@everyone <!channel> *b* [x](http://e.vil) &";
const OPTIONS = { network: "mainnet", siteUrl: "https://rugwatch.example", now: NOW } as const;
const LINK = `https://rugwatch.example/validators/${voteOf(HOSTILE)}?network=mainnet`;

const message = (
  type: AlertMessage["type"] = "commission.changed",
  name = HOSTILE,
): AlertMessage => ({
  id: "e1.changed",
  type,
  event: { ...eventOf("e1", { of: HOSTILE }), validatorName: name },
  queuedAt: "2026-11-20T11:00:00.000Z",
  series: 1,
});

const bodyOf = (shape: AlertTarget["shape"], sent = message()) =>
  JSON.parse(toRequest(targetOf(shape), sent, OPTIONS).body) as Record<string, unknown>;

describe("Standard Webhooks", () => {
  // The reference libraries test themselves with it.
  it("signs as the specification's test vector", () => {
    const signed = {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
    };
    expect(toSignature(SECRET, signed)).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("has id, time of the attempt and signature in the headers, the event as published in the body", () => {
    const { headers, body } = toRequest(targetOf(), message(), OPTIONS);
    const timestamp = NOW / 1000;
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": "e1.changed",
      "webhook-timestamp": String(timestamp),
      "webhook-signature": toSignature(SECRET, { id: "e1.changed", timestamp, body }),
    });
    const { event } = message();
    const data = { ...event, network: "mainnet", link: LINK };
    expect(JSON.parse(body)).toEqual({
      type: "commission.changed",
      timestamp: event.createdAt,
      data,
    });
    const withdrawn = bodyOf("standard", message("commission.withdrawn"));
    expect(withdrawn).toMatchObject({
      type: "commission.withdrawn",
      timestamp: "2026-11-20T11:00:00.000Z",
      data,
    });
  });

  it.each(["commission.changed", "commission.withdrawn"] as const)(
    "is what the OpenAPI document describes: %s",
    (type) => {
      const document = openApiDocument() as { webhooks: Record<string, Webhook> };
      const findMisfits = createSchemaCheck(document);
      const { headers, body } = toRequest(targetOf(), message(type), OPTIONS);
      const place = ["webhooks", type, "post"];
      const schema = [...place, "requestBody", "content", "application/json", "schema"];
      const sent = JSON.parse(body) as Record<string, unknown>;
      expect(findMisfits(schema, sent)).toEqual([]);
      expect(findMisfits(schema, { ...sent, type: "another" })).not.toEqual([]);
      const parameters = document.webhooks[type]!.post.parameters;
      expect(parameters.map(({ name }) => name)).toEqual(
        Object.keys(headers).filter((name) => name.startsWith("webhook-")),
      );
      for (const [index, { name }] of parameters.entries())
        expect(
          findMisfits([...place, "parameters", String(index), "schema"], headers[name]),
        ).toEqual([]);
    },
  );
});

describe("chats", () => {
  it("Discord gets text in which a name is neither mention nor Markdown nor link", () => {
    const { content, ...rest } = bodyOf("discord");
    expect(rest).toEqual({ allowed_mentions: { parse: [] }, flags: 4 });
    const [sentence = "", link] = String(content).split("\n");
    expect(link).toBe(`<${LINK}>`);
    expect(sentence).toContain(
      String.raw`\@everyone \<\!channel\> \*b\* \[x\]\(http\:\/\/e\.vil\) \&`,
    );
    expect(sentence.replaceAll("\\", "")).toMatch(
      /^RUG: .* raised its inflation commission from 5 % to 100 %; .*\(mainnet\)$/,
    );
  });

  it("Slack gets plain text with its three characters escaped, and a link of ours", () => {
    const { text, blocks } = bodyOf("slack") as {
      text: string;
      blocks: { text: { type: string; text: string } }[];
    };
    expect(text.replaceAll("\u2060", "")).toContain(
      "@everyone &lt;!channel&gt; *b* [x](http://e.vil) &amp;",
    );
    expect(blocks.map((block) => block.text)).toEqual([
      { type: "plain_text", text, emoji: false },
      { type: "mrkdwn", text: `<${LINK}|Evidence>`, verbatim: true },
    ]);
  });

  it("Telegram gets text without a parse mode, in which nothing of a name is found to be a link", () => {
    const { text, ...rest } = bodyOf("telegram");
    expect(rest).toEqual({ chat_id: "-100123", link_preview_options: { is_disabled: true } });
    const [sentence = "", link] = String(text).split("\n");
    expect(link).toBe(LINK);
    expect(sentence).not.toMatch(/@e|:\/|\/\/|e\.vil/);
  });

  it.each(["discord", "slack", "telegram"] as const)(
    "%s shows that an event is withdrawn",
    (shape) => {
      const body = JSON.stringify(bodyOf(shape, message("commission.withdrawn")));
      expect(body).toContain("WITHDRAWN");
      expect(JSON.stringify(bodyOf(shape))).not.toContain("WITHDRAWN");
    },
  );

  it("are sent a single sentence and a link within their bounds, whatever a name is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
        const sent = message("commission.withdrawn", name);
        const content = String(bodyOf("discord", sent)["content"]);
        expect(content.split("\n")).toHaveLength(2);
        expect(content.length).toBeLessThanOrEqual(2_000);
        expect(content.split("\n")[0]).not.toMatch(/(?<!\\)[@<>*_~`[\]]/);
        expect(String(bodyOf("slack", sent)["text"]).length).toBeLessThanOrEqual(3_000);
        expect(String(bodyOf("slack", sent)["text"])).not.toMatch(/[<>]/);
        expect(String(bodyOf("telegram", sent)["text"]).length).toBeLessThanOrEqual(4_096);
      }),
    );
  });
});
