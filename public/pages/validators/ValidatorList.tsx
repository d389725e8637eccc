import { useMemo } from "preact/hooks";
import type { Validator } from "../../../generator/contract/validator.ts";
import { allValidators } from "../../api/all-validators.ts";
import { documents } from "../../api/documents.ts";
import { useDocument, useSource, type Reading } from "../../api/use-document.ts";
import { useUrl } from "../../app/use-url.ts";
import { Card } from "../../parts/Card.tsx";
import { Document } from "../../parts/Document.tsx";
import { Legend } from "./Legend.tsx";
import { toMarks, type Marks } from "./marks.ts";
import { Paging } from "./Paging.tsx";
import { SortSelect } from "./SortSelect.tsx";
import { sortValidators } from "./sorting.ts";
import { Summary } from "./Summary.tsx";
import { ValidatorTable } from "./ValidatorTable.tsx";
import { isByRank, readView, type View } from "./view.ts";

/** What is shown of the list, from whichever documents. */
export interface Listed {
  rows: Validator[];
  /** Validators of the whole list. */
  total: number;
  /** Of those that were sorted; null: of all, by the API itself. */
  sorted: { count: number; isMixed: boolean } | null;
  snapshotAt: string | null;
}

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
  const reading = useList(view, marks);
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

/** One page of the API where it sorts; where it does not, all of them, for to sort one page would be to lie. */
function useList(view: View, marks: ReadonlyMap<string, Marks> | null): Reading<Listed> {
  const { network } = useUrl();
  const { page, limit, sort, order } = view;
  const isRanked = isByRank(view);
  const one = useDocument(isRanked ? documents.validators(network, { page, limit }) : null);
  const all = useSource(isRanked ? null : allValidators(network));
  const sorted = useMemo(
    () => all.held && sortValidators(all.held.document.data, { sort, order }, marks ?? undefined),
    [all.held, sort, order, marks],
  );
  if (isRanked) {
    return toReading(one, ({ data, meta: { total, snapshotAt } }) => ({ rows: data, total, sorted: null, snapshotAt }));
  }
  return toReading(all, ({ data, meta: { total, snapshotAt, isMixed } }) => ({
    rows: (sorted ?? []).slice((page - 1) * limit, page * limit),
    total,
    sorted: { count: data.length, isMixed },
    snapshotAt,
  }));
}

function toReading<From, To>(reading: Reading<From>, to: (document: From) => To): Reading<To> {
  const { held } = reading;
  return { ...reading, held: held && { isStale: held.isStale, document: to(held.document) } };
}
