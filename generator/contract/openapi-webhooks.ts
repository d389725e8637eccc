import { z } from "zod";
import { eventSchema } from "./event.ts";
import type { SchemaCollector } from "./json-schema.ts";
import { networkSchema } from "./networks.ts";
import { timeSchema } from "./values.ts";

/** What Rugwatch sends to targets of the shape `standard` (https://www.standardwebhooks.com). */
const WEBHOOKS = {
  "commission.changed": {
    operationId: "onCommissionChanged",
    summary: "A commission changed",
    description:
      "Sent once an event is published, if the target wants its severity, network and validator.",
    timestamp: "The event's createdAt, UTC.",
  },
  "commission.withdrawn": {
    operationId: "onCommissionWithdrawn",
    summary: "An event that was sent stands no more",
    description: "Sent once an event is withdrawn that this target received before.",
    timestamp: "When Rugwatch noticed the withdrawal, UTC.",
  },
} as const;

type WebhookType = keyof typeof WEBHOOKS;

/** Describes all webhooks by their type. Shared shapes go to `schemas`. */
export function toWebhooks(schemas: SchemaCollector): Record<string, unknown> {
  const types = Object.keys(WEBHOOKS) as WebhookType[];
  return Object.fromEntries(types.map((type) => [type, { post: toOperation(type, schemas) }]));
}

function toOperation(type: WebhookType, schemas: SchemaCollector): Record<string, unknown> {
  const { operationId, summary, description, timestamp } = WEBHOOKS[type];
  return {
    tags: ["Events"],
    operationId,
    summary,
    description: `${description} ${DELIVERY}`,
    parameters: HEADERS.map((header) => ({ ...header, in: "header", required: true })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemas.add(toMessageSchema(type, timestamp)) } },
    },
    responses: RESPONSES,
  };
}

const DELIVERY =
  "Messages of a network come in order and at least once: what `webhook-id` repeats is the same " +
  "message. Whoever runs this Rugwatch configures the targets (ALERT_WEBHOOKS).";

const HEADERS = [
  {
    name: "webhook-id",
    description: "Id of the message, the same at every attempt.",
    schema: { type: "string" },
    example: "807f88f02fdd15df2afe918b.changed",
  },
  {
    name: "webhook-timestamp",
    description: "Time of this attempt, in seconds since 1970. Refuse what is old.",
    schema: { type: "string", pattern: "^\\d+$" },
    example: "1795176000",
  },
  {
    name: "webhook-signature",
    description:
      "`v1,` and the HMAC-SHA256, in Base64, of `{webhook-id}.{webhook-timestamp}.{body}`. The " +
      "key is what follows `whsec_` in the target's secret, decoded from Base64.",
    schema: { type: "string", pattern: "^v1,[A-Za-z0-9+/]+=*$" },
    example: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
];

const RESPONSES = {
  "2XX": { description: "Received. Answer within 10 seconds; the body is not read." },
  "4XX": {
    description:
      "Not received, like every other answer, redirects too: tried again after 5 seconds, then " +
      "at doubling intervals up to an hour, or as Retry-After says, for a day.",
  },
};

function toMessageSchema(type: WebhookType, timestamp: string) {
  return z.object({
    type: z.literal(type).meta({ description: "What happened." }),
    timestamp: timeSchema.meta({ description: timestamp }),
    data: alertedEventSchema,
  });
}

const alertedEventSchema = z
  .intersection(
    eventSchema,
    z.object({
      network: networkSchema.meta({ description: "The cluster." }),
      link: z.url().meta({ description: "Page of the validator." }),
    }),
  )
  .meta({
    id: "AlertedEvent",
    description: "The event as published when the message was queued, with network and link.",
  });
