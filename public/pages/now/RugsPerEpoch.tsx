import { ErrorBoundary } from "preact-iso";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { RugsPerEpoch as Row } from "../../../generator/contract/stats.ts";
import type { Reading } from "../../api/use-document.ts";
import { toCount, toCounted } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { lazily } from "../../parts/Failed.tsx";
import { Figures } from "../../parts/tables.tsx";

const RugsChart = lazily(() => import("./RugsChart.tsx"));

type RugsDocument = DocumentOf<"rugsPerEpoch">;

/** Whether what happens now is more than usual: rugs by epoch, and their sums of all time. */
export function RugsPerEpoch({ reading }: { reading: Reading<RugsDocument> }) {
  return (
    <Card title="Rugs per epoch" class="rugs">
      <Document
        reading={reading}
        lines={6}
        isEmpty={({ data }) => data.length === 0}
        empty="No epoch is on record yet."
      >
        {({ data, meta }) => (
          <>
            <p class="rugs-summary">{toSummary(data)}</p>
            <div class="chart-place">
              <ErrorBoundary>
                <RugsChart rows={data} />
              </ErrorBoundary>
            </div>
            <Sums sums={meta.global} />
            <RugsTable rows={data} />
          </>
        )}
      </Document>
    </Card>
  );
}

function Sums({ sums }: { sums: RugsDocument["meta"]["global"] }) {
  const { peakEpoch, peakValidators } = sums;
  return (
    <dl class="sums">
      <Sum name="Validators that rugged" value={toCount(sums.totalRuggedValidators)} />
      <Sum name="in two epochs or more" value={toCount(sums.repeatOffenders)} />
      <Sum name="Validators per epoch" value={toCount(sums.averagePerEpoch)} />
      <Sum
        name={peakEpoch === null ? "Most in an epoch" : `Most, in epoch ${peakEpoch}`}
        value={toCount(peakValidators)}
      />
    </dl>
  );
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** All that the chart shows, for who cannot see it or wants the figures. */
function RugsTable({ rows }: { rows: readonly Row[] }) {
  return (
    <Figures title="Rugs per epoch" columns={["Epoch", "Inflation", "MEV", "Validators"]}>
      {rows.toReversed().map((row) => (
        <tr key={row.epoch}>
          <th scope="row">{row.epoch}</th>
          <td>{toCount(row.commissionEvents)}</td>
          <td>{toCount(row.mevEvents)}</td>
          <td>{toCount(row.uniqueValidators)}</td>
        </tr>
      ))}
    </Figures>
  );
}

/** The chart in one sentence. */
function toSummary(rows: readonly Row[]): string {
  const commission = rows.reduce((sum, row) => sum + row.commissionEvents, 0);
  const mev = rows.reduce((sum, row) => sum + row.mevEvents, 0);
  return `${toCounted(commission, "rug")} of inflation commission and ${toCount(mev)} of MEV commission in ${toCounted(rows.length, "epoch")}.`;
}
