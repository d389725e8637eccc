import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { Severity } from "../../../generator/contract/event.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Resource } from "../../api/use-document.ts";
import { SEVERITIES } from "../../format/events.ts";
import { foldAll, toSeverity } from "../../format/lines.ts";
import { readChoice, readWhole, toAddress } from "../../format/url.ts";
import { toCounted } from "../../format/values.ts";
import { Card, Choice } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { TableEnd } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { EventTable } from "./EventTable.tsx";
import { SeverityLegend } from "./Opening.tsx";

const ROWS = 12;
const ROWS_MAX = 600;

export function NewestEvents({
  resource,
  epoch,
}: {
  resource: Resource<DocumentOf<"events">>;
  epoch: Epoch | null;
}) {
  const { query, change } = useUrl();
  const severity = readChoice(query["severity"], SEVERITIES, "all");
  const rows = readWhole(query["rows"], { min: ROWS, max: ROWS_MAX, otherwise: ROWS });
  const all = resource.held?.document.data;
  const count = (name: Severity) => all?.filter((event) => toSeverity(event) === name).length;
  const tools = (
    <Choice
      label="Severity"
      chosen={severity}
      options={[
        { value: "all", name: "All", count: all?.length },
        ...SEVERITIES.map((name) => ({ value: name, name, count: count(name) })),
      ]}
      onChoose={(value) => change({ severity: value === "all" ? null : value, rows: null })}
    />
  );
  return (
    <Card title="Newest changes" tools={tools} class="newest-events">
      <SeverityLegend />
      <Document
        resource={resource}
        lines={10}
        isEmpty={({ data }) => data.length === 0}
        empty="No commission has changed since we began to watch this network."
      >
        {({ data, meta }) => {
          const shown = data.filter(
            (event) => severity === "all" || toSeverity(event) === severity,
          );
          const lines = foldAll(shown);
          const validators = new Map(
            meta.validators.map((validator) => [validator.votePubkey, validator]),
          );
          return (
            <>
              {shown.length === 0 && (
                <p class="state">
                  No {severity} in the last {toCounted(meta.epochs, "epoch")}.
                </p>
              )}
              {lines.length > 0 && (
                <EventTable lines={lines.slice(0, rows)} known={{ epoch, validators }} />
              )}
              <TableEnd rows={rows} total={lines.length} step={ROWS}>
                {toCounted(lines.length, "line")}: changes in the last{" "}
                {toCounted(meta.epochs, "epoch")}, with the repeats of a pattern in one line
              </TableEnd>
            </>
          );
        }}
      </Document>
      <FeedLinks severity={severity} />
    </Card>
  );
}

function FeedLinks({ severity }: { severity: Severity | "all" }) {
  const { network } = useUrl();
  const feed = severity === "all" ? "events" : severity.toLowerCase();
  return (
    <p class="note feed-links">
      Get alerts of new {severity === "all" ? "changes" : `${severity} changes`}:{" "}
      <a href={`/feeds/${network}/${feed}.atom`}>Atom feed</a>,{" "}
      <a href={`/feeds/${network}/${feed}.json`}>JSON Feed</a> ·{" "}
      <a href={toAddress("/api", { section: "feeds", network })}>Which feeds there are</a>
    </p>
  );
}
