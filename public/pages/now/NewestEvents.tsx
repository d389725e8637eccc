import type { Epoch } from "../../../generator/contract/epoch.ts";
import type { CommissionEvent, Severity } from "../../../generator/contract/event.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Resource } from "../../api/use-document.ts";
import { SEVERITIES } from "../../format/events.ts";
import { foldAll, toSeverity } from "../../format/lines.ts";
import { readChoice, readWhole, toAddress } from "../../format/url.ts";
import { toCounted } from "../../format/values.ts";
import { Card, Choice } from "../../parts/Card.tsx";
import { SeverityBadge } from "../../parts/Change.tsx";
import { Document } from "../../parts/Document.tsx";
import { TableEnd } from "../../parts/tables.tsx";
import { Term } from "../../parts/Term.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { EventTable } from "./EventTable.tsx";

const ROWS = 12;
const ROWS_MAX = 600;

export function NewestEvents({
  resource,
  epoch,
}: {
  resource: Resource<DocumentOf<"events">>;
  epoch: Epoch | null;
}) {
  const { query, network, change } = useUrl();
  const shown = readChoice(query["severity"], [...SEVERITIES, "all"], "bad");
  const rows = readWhole(query["rows"], { min: ROWS, max: ROWS_MAX, otherwise: ROWS });
  const all = resource.held?.document.data;
  const count = (name: Shown) => all?.filter((event) => isShown(event, name)).length;
  const tools = (
    <Choice
      label="Severity"
      chosen={shown}
      options={CHOICES.map((value) => ({ value, name: NAMES[value], count: count(value) }))}
      onChoose={(value) => change({ severity: value === "bad" ? null : value, rows: null })}
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
          const lines = foldAll(data.filter((event) => isShown(event, shown)));
          const validators = new Map(
            meta.validators.map((validator) => [validator.votePubkey, validator]),
          );
          return (
            <>
              {lines.length === 0 && (
                <p class="state">
                  No {shown === "bad" ? "RUG and no CAUTION" : NAMES[shown]} in the last{" "}
                  {toCounted(meta.epochs, "epoch")}.
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
      <p class="note feed-links">
        <a href={toAddress("/alerts", { network })}>Get alerts</a> of new changes: by Telegram,
        mail, Discord or RSS.
      </p>
    </Card>
  );
}

type Shown = Severity | "bad" | "all";

const CHOICES = ["bad", ...SEVERITIES, "all"] as const satisfies readonly Shown[];
const NAMES = {
  bad: "RUG and CAUTION",
  RUG: "RUG",
  CAUTION: "CAUTION",
  INFO: "INFO",
  all: "All",
} as const satisfies Record<Shown, string>;

function isShown(event: CommissionEvent, shown: Shown): boolean {
  const severity = toSeverity(event);
  return shown === "all" || (shown === "bad" ? severity !== "INFO" : severity === shown);
}

/** What each severity means waits behind it. */
function SeverityLegend() {
  return (
    <p class="severity-legend">
      {SEVERITIES.map((severity) => (
        <Term key={severity} of={severity}>
          <SeverityBadge severity={severity} />
        </Term>
      ))}
    </p>
  );
}
