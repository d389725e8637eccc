import type { Problem } from "../../api/envelope.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toAddress } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Failed } from "../../parts/Failed.tsx";
import "../../style/concentration.css";
import { Coefficients } from "./Coefficients.tsx";
import { Coverage } from "./Coverage.tsx";
import { readDimension } from "./dimensions.ts";
import { Shares } from "./Shares.tsx";

/** How few hold how much of the stake, and where. */
export default function Concentration() {
  const { query, network } = useUrl();
  const dimension = readDimension(query["by"]);
  const reading = useDocument(documents.stakeConcentration(network));
  return (
    <div class="stack">
      <header class="page-header">
        <h1>Who holds the stake of {network}</h1>
      </header>
      <Card title="How few hold a third" class="concentration">
        <Document reading={reading} lines={8} describe={(problem) => describe(problem, network)}>
          {({ data }) => (
            <>
              <Explanation />
              <Coefficients concentration={data} chosen={dimension} />
              <Coverage summary={data.summary} />
            </>
          )}
        </Document>
      </Card>
      {reading.held !== null && (
        // What cannot be shown is said in the block above.
        <Failed of={reading.held.document} instead={null}>
          <Shares key={dimension.by} concentration={reading.held.document.data} dimension={dimension} />
        </Failed>
      )}
    </div>
  );
}

function Explanation() {
  return (
    <p class="explanation">
      A Nakamoto coefficient is the fewest that hold 33.33 % of the stake together, taking the largest first: the
      smaller, the worse. That is the line because a block is final when two thirds of the stake have voted for it: who
      controls more than a third can hold that up. Alpenglow draws its lines elsewhere; this one stays, so that networks
      compare.
    </p>
  );
}

/** Nothing located is no fault of the reader, and not the end of what there is to see. */
function describe(problem: Problem, network: string) {
  if (problem.kind !== "refused" || problem.status !== 404) return undefined;
  return (
    <>
      No validator of {network} is located yet, so nothing can be said of where its stake is. The API looks places up by
      the addresses that nodes announce, and has not done so here. Until then{" "}
      <a href={toAddress("/validators", { network })}>the list of validators</a> shows who has the most stake.
    </>
  );
}
