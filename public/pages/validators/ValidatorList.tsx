import { useMemo } from "preact/hooks";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { useUrl } from "../../app/use-url.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Legend } from "./Legend.tsx";
import { toMarks } from "./marks.ts";
import { Paging } from "./Paging.tsx";
import { SortSelect } from "./SortSelect.tsx";
import { Summary } from "./Summary.tsx";
import { useListed } from "./use-listed.ts";
import { ValidatorTable } from "./ValidatorTable.tsx";
import { readView } from "./view.ts";

/** A page of the list, in the order that the address says. */
export function ValidatorList() {
  const { query, network } = useUrl();
  const view = readView(query);
  const events = useDocument(documents.events(network));
  const changes = useMemo(() => {
    const document = events.held?.document;
    return document === undefined ? null : { marks: toMarks(document.data), epochs: document.meta.epochs };
  }, [events.held]);
  const marks = changes?.marks ?? null;
  const reading = useListed(view, marks);
  // Without the events nothing can be said of who changed most.
  const isWaiting = view.sort === "changes" && marks === null;
  return (
    <Card title="All validators" class="validator-list" tools={<SortSelect view={view} />}>
      <Document
        reading={isWaiting ? { ...reading, held: null, problem: events.problem, reload: events.reload } : reading}
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
