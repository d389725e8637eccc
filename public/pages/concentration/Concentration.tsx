import type { Network } from "../../../generator/contract/networks.ts";
import type { Concentration } from "../../../generator/contract/stats.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toAddress } from "../../format/url.ts";
import { NOT_KNOWN, toCount, toCounted, toPercent } from "../../format/values.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Failed } from "../../parts/Failed.tsx";
import { Term } from "../../parts/Term.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Sol } from "../../parts/values.tsx";
import { ByEpoch } from "./ByEpoch.tsx";
import { Shares } from "./Shares.tsx";
import {
  type Dimension,
  DIMENSIONS,
  readDimension,
  SUPERMINORITY_PERCENT,
  toStopSentence,
} from "./ranking.ts";
import "../../style/concentration.css";

export default function Concentration() {
  const { query, network } = useUrl();
  const dimension = readDimension(query["by"]);
  const resource = useDocument(documents.stakeConcentration(network));
  return (
    <div class="stack">
      <header class="page-header">
        <h1>Who holds the stake on {network}</h1>
      </header>
      <Card title="How few hold a third of the stake">
        <Document resource={resource} lines={8} missing={<NotLocated network={network} />}>
          {({ data }) => (
            <>
              <p class="stop-sentence">{toStopSentence(data)}</p>
              <Coefficients concentration={data} chosen={dimension} />
              <ByEpoch network={network} />
              <Explanation />
              <Coverage summary={data.summary} network={network} />
            </>
          )}
        </Document>
      </Card>
      {resource.held !== null && (
        <Failed of={resource.held.document} instead={null}>
          <Shares
            key={dimension.by}
            concentration={resource.held.document.data}
            dimension={dimension}
          />
        </Failed>
      )}
    </div>
  );
}

function Explanation() {
  return (
    <p class="explanation">
      The <Term of="Nakamoto coefficient">Nakamoto coefficient</Term> counts the largest entities
      that together hold {toPercent(SUPERMINORITY_PERCENT)} of the stake. The smaller it is, the
      worse: a block is final when two thirds of the stake have voted for it, so whoever controls
      more than a third can stop the network, and so can a fault that these validators share.
      Alpenglow has other thresholds; we keep this one, so you can compare networks.
    </p>
  );
}

function NotLocated({ network }: { network: Network }) {
  return (
    <>
      We have no locations for {network} yet. See who has the most stake in the{" "}
      <a href={toAddress("/validators", { network })}>list of validators</a>.
    </>
  );
}

function Coefficients({
  concentration,
  chosen,
}: {
  concentration: Concentration;
  chosen: Dimension;
}) {
  const { path, query } = useUrl();
  return (
    <nav class="coefficients" aria-label="Shares by">
      {DIMENSIONS.map(({ by, list, one, many }, index) => {
        const coefficient = concentration.nakamotoCoefficients[list];
        const all = concentration[list].length;
        return (
          <a
            key={by}
            class="coefficient"
            href={toAddress(path, { ...query, by: index === 0 ? null : by, rows: null })}
            aria-current={by === chosen.by ? "true" : undefined}
          >
            <strong>{all === 0 ? NOT_KNOWN : toCount(coefficient)}</strong>
            <span>{coefficient === 1 ? one : many}</span>
            <span class="second">{all > 0 && `of ${toCount(all)}`}</span>
          </a>
        );
      })}
    </nav>
  );
}

function Coverage({ summary, network }: { summary: Concentration["summary"]; network: Network }) {
  const { validatorCount, totalStake } = summary;
  return (
    <p class="note coverage">
      {toCounted(validatorCount, "validator")} in the validator set of this epoch, with{" "}
      <Sol lamports={totalStake.lamports} /> active. The{" "}
      <a href={toAddress("/validators", { network })}>list of validators</a> also has those outside
      of the set, so shares there are of more stake.
    </p>
  );
}
