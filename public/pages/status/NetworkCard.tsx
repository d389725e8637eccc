import type { Network } from "../../../generator/contract/networks.ts";
import type { Status } from "../../../generator/contract/status.ts";
import { apiNow } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { type Freshness, toFreshness, toVerdict } from "../../format/freshness.ts";
import { toAddress } from "../../format/url.ts";
import { NOT_KNOWN, toCount } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Ago } from "../../parts/values.tsx";
import { toSourceTitle } from "./SourceGuide.tsx";

const STATUS_MILLISECONDS = 15_000;

const AGAINST_NORMAL: Readonly<Record<Freshness, string>> = {
  fresh: "on time (every 10 minutes)",
  late: "late (normally every 10 minutes)",
  old: "old (normally every 10 minutes)",
  unknown: "normally every 10 minutes",
};

export const NOT_PUBLISHED = "There is no data for this network yet. Choose another network.";

export function NetworkCard({ network, isChosen }: { network: Network; isChosen: boolean }) {
  const resource = useDocument(documents.status(network), {
    everyMilliseconds: STATUS_MILLISECONDS,
  });
  const link = isChosen ? (
    <span class="quiet">details below</span>
  ) : (
    <a href={toAddress("/status", { network })}>
      Details<span class="visually-hidden"> of {network}</span>
    </a>
  );
  return (
    <Card title={network} tools={link} class={isChosen ? "network network-chosen" : "network"}>
      <Document resource={resource} lines={9} missing={NOT_PUBLISHED}>
        {({ data }) => <Facts status={data} />}
      </Document>
    </Card>
  );
}

function Facts({ status }: { status: Status }) {
  const { epoch, slot, observedAt, snapshotAt, pending, observations, sources } = status;
  const now = apiNow.value;
  const { state, sentence } = toVerdict(status, now);
  const freshness = toFreshness(snapshotAt, now);
  return (
    <>
      <p class="verdict">
        {now !== null && (
          <>
            <StateBadge state={state} /> {sentence}
          </>
        )}
      </p>
      <dl class="network-facts">
        <Fact name="Snapshot">
          {snapshotAt === null ? <span class="quiet">{NOT_KNOWN}</span> : <Ago time={snapshotAt} />}
          <span
            class={freshness === "late" || freshness === "old" ? "against against-bad" : "against"}
          >
            {AGAINST_NORMAL[freshness]}
          </span>
        </Fact>
        <Fact name="Last observation">{observedAt && <Ago time={observedAt} />}</Fact>
        <Fact name="Epoch">{epoch}</Fact>
        <Fact name="Slot">{slot === null ? null : toCount(slot)}</Fact>
        <Fact name="Pending changes">{toCount(pending.length)}</Fact>
        <Fact name="Refused observations">
          {toCount(observations.refused)} of {toCount(observations.refused + observations.accepted)}
        </Fact>
      </dl>
      <h3 class="sources-title">{freshness === "old" ? "Sources at that snapshot" : "Sources"}</h3>
      <ul class="sources">
        {sources.map(({ name, state, lastSuccessAt, reason }) => (
          <li key={name}>
            <span class="source-line">
              <span>{toSourceTitle(name)}</span>
              <span class="source-age">
                {lastSuccessAt === null ? "never" : <Ago time={lastSuccessAt} />}
              </span>
              <StateBadge state={state} />
            </span>
            {reason !== null && <span class="reason breakable">{reason}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

type State = Status["sources"][number]["state"];

/** Colour alone does not reach everybody (WCAG 1.4.1). */
const SHAPES: Readonly<Record<State, string>> = {
  ok: "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z",
  degraded: "M6 .5 11.5 6 6 11.5.5 6z",
  failed: "M6 1 11.5 11H.5z",
  off: "M1 5h10v2H1z",
};

function StateBadge({ state }: { state: State }) {
  return (
    <span class={`state-badge state-${state}`}>
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
        <path d={SHAPES[state]} fill="currentColor" />
      </svg>
      {state}
    </span>
  );
}
