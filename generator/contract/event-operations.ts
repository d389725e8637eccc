import { changesDocumentSchema } from "./change.ts";
import { listedEventsDocumentSchema } from "./document-schemas.ts";
import { atomFeedSchema } from "./feed.ts";
import { FORMS } from "./forms.ts";
import { ofObject, operation } from "./operation.ts";

/** Operations on events, in the order of the API reference. */
export const EVENT_OPERATIONS = {
  events: operation(
    "Events",
    { ...ofObject("events"), document: listedEventsDocumentSchema },
    {
      operationId: "listEvents",
      summary: "Commission events of the network",
      description:
        "Lists the inflation and MEV commission changes of all validators in the newest " +
        "epochs, highest `slot` first, in one answer. Those known only from a public history " +
        "have `confirmed: false`. An event that Rugwatch finds late appears in the middle: to " +
        "keep a copy of all events, follow `/api/v1/changes`.",
      parameters: [
        "network",
        "epochs",
        "severity",
        "source",
        "votePubkeyInQuery",
        "collapse",
        "fields",
      ],
    },
  ),
  changes: operation(
    "Events",
    { path: "/api/v1/changes", document: changesDocumentSchema, cache: "events" },
    {
      operationId: "listChanges",
      summary: "Log of events and their corrections",
      description:
        "Lists every publication, correction and withdrawal of an event in order, so that a " +
        "program keeps a copy of all events: ask with `after` = the last `meta.next`, apply " +
        "what comes, and go on until `meta.next` is `meta.head`. If `meta.edition` is " +
        "another than before, forget the copy and begin again from 0. Rebuilding Rugwatch's " +
        "data gives the same numbers. 404 `not_found` until the first observation of the " +
        "network.",
      parameters: ["network", "after", "changesLimit"],
      notFound: "not_found",
    },
  ),
  epochEvents: operation("Events", ofObject("epochEvents"), {
    operationId: "listEpochRugs",
    summary: "RUG events of an epoch",
    description:
      "Lists the newest RUG of each validator and source in one epoch, newest first. Empty " +
      "for an epoch without RUG events and for an epoch that Rugwatch never observed.",
    parameters: ["epoch", "network"],
  }),
  validatorEvents: operation("Events", ofObject("validatorEvents"), {
    operationId: "listValidatorEvents",
    summary: "Commission events of a validator",
    description:
      "Lists every known change of its inflation and MEV commission, newest first. Empty for " +
      "a validator without changes and for an unknown vote account.",
    parameters: ["votePubkey", "network", "collapse"],
  }),
  atomFeed: operation("Events", ofObject("atomFeed"), {
    operationId: "getAtomFeed",
    summary: "Feed of events as Atom",
    description:
      "Serves the 100 confirmed events that were published last to feed readers (RFC 4287), " +
      "the last first. Each entry has an id that never changes, the change in a sentence, " +
      "its evidence, and a link to the validator's page. All repeats of a `pattern` share " +
      "the entry of its first event, whose times stay. All members of an `incident` share an " +
      "entry in each feed that shows the severity of one of them; those that had an entry " +
      "before lose it. To see every change, follow `/api/v1/changes`. 404 `not_found` until " +
      "the first observation of the network.",
    parameters: ["networkInPath", "feed"],
  }),
  jsonFeed: operation("Events", ofObject("jsonFeed"), {
    operationId: "getJsonFeed",
    summary: "Feed of events as JSON Feed",
    description: "Serves the same feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).",
    parameters: ["networkInPath", "feed"],
  }),
  validatorAtomFeed: operation("Events", ofObject("validatorAtomFeed"), {
    operationId: "getValidatorAtomFeed",
    summary: "Feed of a validator's events as Atom",
    description:
      "Serves the 100 confirmed events of one validator that were published last. Repeats of " +
      "a `pattern` get no entry of their own: to see every rise, poll " +
      "`/api/v1/validators/{votePubkey}/events`. It exists from the first snapshot that lists " +
      "the validator, and is empty until its first event: whoever subscribes in time hears of " +
      "that one too. 404 `not_found` for an unknown vote account.",
    parameters: ["networkInPath", "votePubkey"],
    notFound: "not_found",
  }),
  validatorJsonFeed: operation("Events", ofObject("validatorJsonFeed"), {
    operationId: "getValidatorJsonFeed",
    summary: "Feed of a validator's events as JSON Feed",
    description: "Serves the same feed as JSON Feed 1.1.",
    parameters: ["networkInPath", "votePubkey"],
    notFound: "not_found",
  }),
  watchFeed: operation(
    "Events",
    {
      path: "/feeds/{network}.atom",
      document: atomFeedSchema,
      cache: "events",
      contentType: FORMS.atomFeed.contentType,
    },
    {
      operationId: "getWatchFeed",
      summary: "Feed of the events of several validators as Atom",
      description:
        "Serves the feeds of these validators as one, with the same entries, at most 100. Its " +
        "subtitle names those that are unknown; 404 `not_found` if all are.",
      parameters: ["networkInPath", "votes"],
      notFound: "not_found",
    },
  ),
} as const;
