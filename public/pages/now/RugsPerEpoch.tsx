import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { RugsPerEpoch as Row } from "../../../generator/contract/stats.ts";
import type { Resource } from "../../api/use-document.ts";
import { isLost, sumLost } from "../../format/lost.ts";
import { NOT_KNOWN, toCount, toCounted, toShortSol } from "../../format/values.ts";
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
            <p class="rugs-summary">
              {toSummary(data)} {toLostText(data, meta.latestEpoch ?? 0)}
            </p>
            <RugsPicture rows={data} latestEpoch={meta.latestEpoch ?? 0} />
            <details class="figures">
              <summary>In numbers</summary>
              <Sums sums={meta.global} />
            </details>
            <RugsTable rows={data} latestEpoch={meta.latestEpoch ?? 0} />
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

function RugsTable({ rows, latestEpoch }: { rows: readonly Row[]; latestEpoch: number }) {
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
          <td>
            {row.lamportsLost === null
              ? NOT_KNOWN
              : `${toShortSol(row.lamportsLost)}${!isLost(row, latestEpoch) && row.lamportsLost !== "0" ? " to come" : ""}`}
          </td>
        </tr>
      ))}
    </Figures>
  );
}

function toSummary(rows: readonly Row[]): string {
  const commission = rows.reduce((sum, row) => sum + row.commissionEvents, 0);
  const mev = rows.reduce((sum, row) => sum + row.mevEvents, 0);
  return `${toCounted(commission + mev, "rug")} in ${toCounted(rows.length, "epoch")}: ${toCount(commission)} of inflation and ${toCount(mev)} of MEV commission.`;
}

/** What was paid, apart from what is still to come. @param latestEpoch the running one */
export function toLostText(
  rows: readonly Pick<Row, "epoch" | "lamportsLost">[],
  latestEpoch: number,
): string {
  const { lost, ahead, unknown } = sumLost(rows, latestEpoch);
  const paid = `So far delegators lost ${toShortSol(String(lost))} SOL of inflation rewards in the first epochs alone that charged them`;
  const later =
    ahead === 0n
      ? ""
      : `; epochs that are not over will cost them ${toShortSol(String(ahead))} SOL more`;
  const rest =
    unknown === 0 ? "" : ` What the rugs of ${toCounted(unknown, "epoch")} cost is not known.`;
  return `${paid}${later}.${rest}`;
}
