import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { RugsPerEpoch as Row } from "../../../generator/contract/stats.ts";
import type { Resource } from "../../api/use-document.ts";
import { addStake, NOT_KNOWN, toCount, toCounted, toShortSol } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Figures } from "../../parts/tables.tsx";
import { RugsPicture } from "./RugsPicture.tsx";

type RugsDocument = DocumentOf<"rugsPerEpoch">;

export function RugsPerEpoch({ resource }: { resource: Resource<RugsDocument> }) {
  return (
    <Card title="Rugs and SOL lost, by epoch" class="rugs">
      <Document
        resource={resource}
        lines={10}
        isEmpty={({ data }) => data.length === 0}
        empty="We have no epoch on record yet."
      >
        {({ data, meta }) => (
          <>
            <p class="rugs-summary">{toSummary(data)}</p>
            <RugsPicture rows={data} />
            <details class="figures">
              <summary>In numbers</summary>
              <Sums sums={meta.global} />
            </details>
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
      <Fact name="Validators that rugged">{toCount(sums.totalRuggedValidators)}</Fact>
      <Fact name="Of these, in two epochs or more">{toCount(sums.repeatOffenders)}</Fact>
      <Fact name="Validators in an average epoch">{toCount(sums.averagePerEpoch)}</Fact>
      <Fact
        name={
          peakEpoch === null
            ? "Most validators in one epoch"
            : `Most validators: epoch ${peakEpoch}`
        }
      >
        {toCount(peakValidators)}
      </Fact>
    </dl>
  );
}

function RugsTable({ rows }: { rows: readonly Row[] }) {
  return (
    <Figures
      title="Rugs per epoch"
      columns={["Epoch", "Inflation", "MEV", "Validators", "SOL lost"]}
    >
      {rows.toReversed().map((row) => (
        <tr key={row.epoch}>
          <th scope="row">{row.epoch}</th>
          <td>{toCount(row.commissionEvents)}</td>
          <td>{toCount(row.mevEvents)}</td>
          <td>{toCount(row.uniqueValidators)}</td>
          <td>{row.lamportsLost === null ? NOT_KNOWN : toShortSol(row.lamportsLost)}</td>
        </tr>
      ))}
    </Figures>
  );
}

function toSummary(rows: readonly Row[]): string {
  const commission = rows.reduce((sum, row) => sum + row.commissionEvents, 0);
  const mev = rows.reduce((sum, row) => sum + row.mevEvents, 0);
  const lost = addStake(rows.flatMap(({ lamportsLost }) => lamportsLost ?? []));
  return `${toCounted(commission + mev, "rug")} in ${toCounted(rows.length, "epoch")}: ${toCount(commission)} of inflation and ${toCount(mev)} of MEV commission. Delegators lost ${toShortSol(lost)} SOL of inflation rewards in the first epochs alone that paid them.`;
}
