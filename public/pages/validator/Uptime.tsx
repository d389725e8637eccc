import type { UptimeDay } from "../../../generator/contract/history.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toCount, toCounted, toPercent } from "../../format/values.ts";
import { Document } from "../../parts/Document.tsx";
import { Table } from "../../parts/tables.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Calendar } from "./Calendar.tsx";
import { ALL, DAYS_DEFAULT, NewestChoice, readDays, toDayOptions } from "./NewestChoice.tsx";

const FEW_DAYS = 30;

export function Uptime({ network, votePubkey }: { network: Network; votePubkey: string }) {
  const { query, change } = useUrl();
  const days = readDays(query);
  const resource = useDocument(documents.uptime(network, votePubkey, days === ALL ? {} : { days }));
  // With fewer days on record than the shortest span, there is nothing to choose.
  const hasFew = (resource.held?.document.data.length ?? 0) < FEW_DAYS;
  const tools = !(hasFew && days === DAYS_DEFAULT) && (
    <NewestChoice
      label="Days shown"
      options={toDayOptions(days)}
      chosen={days}
      onChoose={(newest) => change({ days: newest === DAYS_DEFAULT ? null : newest })}
    />
  );
  return (
    <>
      {tools}
      <Document
        resource={resource}
        lines={7}
        isEmpty={({ data }) => data.length === 0}
        empty="We have no day of this validator on record yet."
      >
        {({ data, meta }) => (
          <>
            <Sentence meta={meta} />
            <Calendar days={data} />
            <MissedDays days={data.filter(({ delinquentChecks }) => delinquentChecks > 0)} />
          </>
        )}
      </Document>
    </>
  );
}

function Sentence({ meta }: { meta: DocumentOf<"uptime">["meta"] }) {
  return (
    <p>
      <strong class="uptime-overall">{toPercent(meta.overallUptimePercent)}</strong>{" "}
      <span class="quiet">
        over {toCounted(meta.daysTracked, "day")}: delinquent in {toCount(meta.delinquentChecks)} of{" "}
        {toCounted(meta.uptimeChecks, "check")}, at most one a minute. Minutes in which the whole
        network stood still do not count. Days are in UTC.
      </span>
    </p>
  );
}

function MissedDays({ days }: { days: readonly UptimeDay[] }) {
  if (days.length === 0) return null;
  return (
    <details class="figures">
      <summary>{toCounted(days.length, "day")} with delinquent checks</summary>
      <Table
        label="Days with delinquent checks"
        caption="Days with delinquent checks, newest first"
        columns={["Day", "Uptime", "Delinquent", "Checks"]}
        class="plain-table"
      >
        {days.toReversed().map((day) => (
          <tr key={day.date}>
            <th scope="row">{day.date}</th>
            <td>{toPercent(day.uptimePercent)}</td>
            <td>{toCount(day.delinquentChecks)}</td>
            <td>{toCount(day.uptimeChecks)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
