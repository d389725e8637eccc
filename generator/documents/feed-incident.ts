import type { Severity } from "../contract/event.ts";
import { INCIDENT_VALIDATORS_MIN } from "../contract/incident.ts";
import { compareText } from "../contract/lists.ts";
import type { Network } from "../contract/networks.ts";
import { type FeedEvent, toEntryTitle, toHtml, toValidatorLink, toVerb } from "./feed-entry.ts";
import { COMMISSIONS } from "../views/commission-names.ts";

/** Members with a line of their own in an entry. */
const NAMED_MAX = 50;

const WORST_FIRST = ["RUG", "CAUTION", "INFO"] as const satisfies readonly Severity[];

/** The members of an incident that share an entry. */
export interface IncidentEntry {
  /** The event that completed the incident. The entry keeps its place and time. */
  maker: FeedEvent;
  /** Worst first, then newest. */
  members: readonly FeedEvent[];
}

/** One entry for each incident. @param events newest first */
export function foldIncidents(events: readonly FeedEvent[]): (FeedEvent | IncidentEntry)[] {
  const groups = Map.groupBy(
    events.filter(({ incident }) => incident !== null),
    ({ incident }) => incident?.id,
  );
  const entries = new Map([...groups.values()].map(toEntry).map((entry) => [entry.maker, entry]));
  return events.flatMap((event): (FeedEvent | IncidentEntry)[] => {
    const entry = entries.get(event);
    if (entry !== undefined) return [entry];
    return event.incident === null ? [event] : [];
  });
}

function toEntry(members: readonly FeedEvent[]): IncidentEntry {
  const oldestFirst = members.toSorted(
    (one, other) => compareText(one.createdAt, other.createdAt) || compareText(one.id, other.id),
  );
  const firsts = new Map<string, FeedEvent>();
  for (const event of oldestFirst)
    if (!firsts.has(event.votePubkey)) firsts.set(event.votePubkey, event);
  const [maker = oldestFirst[0]] = [...firsts.values()].slice(0, INCIDENT_VALIDATORS_MIN).reverse();
  if (maker === undefined) throw new Error("an incident without members");
  const indexOf = ({ severity }: FeedEvent) => WORST_FIRST.indexOf(severity);
  return { maker, members: members.toSorted((one, other) => indexOf(one) - indexOf(other)) };
}

/** Of its worst member. */
export function toSeverity({ members, maker }: IncidentEntry): Severity {
  return (members[0] ?? maker).severity;
}

/** Title without a count, because the count may grow. */
export function toIncidentTitle(entry: IncidentEntry): string {
  return `${toSeverity(entry)}: at least ${INCIDENT_VALIDATORS_MIN} validators ${toWhat(entry)} within an hour`;
}

function toWhat({ maker }: IncidentEntry): string {
  return `${toVerb(maker)} their ${COMMISSIONS[maker.source]}`;
}

/** How many, when, and each member with a link to its page. */
export function toIncidentHtml(
  entry: IncidentEntry,
  { network, siteUrl }: { network: Network; siteUrl: string },
): string {
  const { maker, members } = entry;
  const { incident } = maker;
  if (incident === null) return "";
  const { id, validators, changes, firstAt, lastAt } = incident;
  const items = members.slice(0, NAMED_MAX).map((event) => {
    const link = toValidatorLink({ network, votePubkey: event.votePubkey }, siteUrl);
    return `<li><a href="${toHtml(link)}">${toHtml(toEntryTitle(event))}</a></li>`;
  });
  const others = members.length - items.length;
  const paragraphs = [
    `${validators} validators ${toWhat(entry)} between ${firstAt} and ${lastAt}, in ${changes} changes.`,
    ...(others > 0
      ? [`These are ${items.length} of the changes: ${others} more are in the list of events.`]
      : []),
    `Incident ${id} on ${network}. Changes that join it get no entry of their own: this one counts them.`,
  ].map((text) => `<p>${toHtml(text)}</p>`);
  return [paragraphs[0], `<ul>${items.join("")}</ul>`, ...paragraphs.slice(1)].join("");
}
