import { useMemo, useState } from "preact/hooks";
import { useEpoch } from "../../api/clock.ts";
import { documents, NEWEST } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toCounted } from "../../format/values.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { SearchBox, SearchResults, toSearched } from "../../parts/Search.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Paging, SortSelect, Summary } from "./Paging.tsx";
import { ValidatorTable } from "./ValidatorTable.tsx";
import { toMarks } from "./sorting.ts";
import { readView, useListed } from "./view.ts";
import "../../style/validators.css";

export default function Validators() {
  const { query, network } = useUrl();
  const searched = toSearched(query["q"] ?? "");
  const [results, setResults] = useState<HTMLElement | null>(null);
  useEpoch(network);
  return (
    <div class="stack">
      <header class="page-header">
        <h1>Validators on {network}</h1>
        <SearchBox results={results} />
      </header>
      {searched === null ? (
        <ValidatorList />
      ) : (
        <SearchResults searched={searched} place={setResults} />
      )}
    </div>
  );
}

function ValidatorList() {
  const { query, network } = useUrl();
  const view = readView(query);
  const events = useDocument(documents.events(network, NEWEST));
  const changes = useMemo(() => {
    const document = events.held?.document;
    return document === undefined
      ? null
      : { marks: toMarks(document.data), epochs: document.meta.epochs };
  }, [events.held]);
  const marks = changes?.marks ?? null;
  const resource = useListed(view, marks);
  // Without the events nobody knows who changed most.
  const isWaiting = view.sort === "changes" && marks === null;
  return (
    <Card title="All validators" class="validator-list" tools={<SortSelect view={view} />}>
      <Document
        resource={
          isWaiting
            ? { ...resource, held: null, problem: events.problem, reload: events.reload }
            : resource
        }
        lines={12}
        isEmpty={({ total }) => total === 0}
        empty={`We know no validator on ${network} yet.`}
      >
        {(listed) => (
          <>
            <Summary view={view} listed={listed} />
            {listed.rows.length > 0 && (
              <ValidatorTable
                rows={listed.rows}
                view={view}
                marks={marks}
                epochs={changes?.epochs ?? null}
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

function Legend({ epochs }: { epochs: number | null }) {
  return (
    <dl class="legend">
      <Fact name="Verdict">
        What the record says in one word, by fixed rules. The page of a validator has the reasons.
      </Fact>
      <Fact name="Commission">
        The inflation commission announced now. “MEV” means that the validator runs a client that
        takes part in MEV, “batched” that it also batches blocks.
      </Fact>
      <Fact name="Paid now">
        The inflation commission that the rewards of this epoch pay. A change is paid up to two
        epochs after it is announced.
      </Fact>
      <Fact name="Changes">
        Inflation and MEV commission
        {epochs !== null && <> in the last {toCounted(epochs, "epoch")}</>}: the number of changes,
        and the newest one. A <em>pattern</em> shows its two rates instead, and in how many epochs
        it rose.
      </Fact>
    </dl>
  );
}
