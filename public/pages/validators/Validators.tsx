import { useMemo, useState } from "preact/hooks";
import { useEpoch } from "../../api/clock.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toCounted } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { SearchBox, SearchResults, toSearched } from "../../parts/Search.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Paging, SortSelect, Summary } from "./Paging.tsx";
import { ValidatorTable } from "./ValidatorTable.tsx";
import { SERIAL_TURNS, toMarks } from "./sorting.ts";
import { readView, useListed } from "./view.ts";
import "../../style/validators.css";

export default function Validators() {
  const { query, network } = useUrl();
  const searched = toSearched(query["q"] ?? "");
  const [results, setResults] = useState<HTMLElement | null>(null);
  // Sets the clock.
  useEpoch(network);
  return (
    <div class="stack">
      <header class="page-header">
        <h1>Validators on {network}</h1>
        <SearchBox results={results} />
      </header>
      {searched === null ? <ValidatorList /> : <SearchResults searched={searched} place={setResults} />}
    </div>
  );
}

function ValidatorList() {
  const { query, network } = useUrl();
  const view = readView(query);
  const events = useDocument(documents.events(network));
  const changes = useMemo(() => {
    const document = events.held?.document;
    return document === undefined ? null : { marks: toMarks(document.data), epochs: document.meta.epochs };
  }, [events.held]);
  const marks = changes?.marks ?? null;
  const resource = useListed(view, marks);
  // Only the events say who changed most.
  const isWaiting = view.sort === "changes" && marks === null;
  return (
    <Card title="All validators" class="validator-list" tools={<SortSelect view={view} />}>
      <Document
        resource={isWaiting ? { ...resource, held: null, problem: events.problem, reload: events.reload } : resource}
        lines={12}
        isEmpty={({ total }) => total === 0}
        empty={`No validator of ${network} is known yet.`}
      >
        {(listed) => (
          <>
            <Summary view={view} listed={listed} />
            {listed.rows.length > 0 && (
              <ValidatorTable
                rows={listed.rows}
                view={view}
                marks={marks}
                hasNoMarks={marks === null && events.problem !== null}
              />
            )}
            <Paging view={view} total={listed.sorted?.count ?? listed.total} />
            <Legend epochs={changes?.epochs ?? null} />
          </>
        )}
      </Document>
    </Card>
  );
}

/** @param epochs that the changes cover; null: not read */
function Legend({ epochs }: { epochs: number | null }) {
  return (
    <dl class="legend">
      <Fact name="Commission">
        Of inflation rewards, as announced now, marked from half on. MEV: it runs a client that takes part in MEV.
      </Fact>
      <Fact name="Paid now">
        What the rewards of this epoch pay of it: a change is paid up to two epochs later. Marked from half on.
      </Fact>
      <Fact name="Changes">
        Of inflation and MEV commission{epochs !== null && <> in the last {toCounted(epochs, "epoch")}</>}: the worst
        severity, how many, and the newest.
      </Fact>
      <Fact name="Flips">
        How often one commission turned round in these epochs: a rise after a fall or a fall after a rise, inflation and
        MEV each for itself. Marked from {SERIAL_TURNS} on, which is up, down and up again. Switching MEV on or off does
        not count. Who rises and takes it back in 3 of 10 epochs or more has the two rates there instead, and × in how
        many epochs.
      </Fact>
    </dl>
  );
}
