import type { ComponentChildren } from "preact";
import type { Network } from "../../generator/contract/networks.ts";
import { isNotFound, type Problem, toSentence } from "../api/client.ts";
import { apiNow } from "../api/clock.ts";
import { documents } from "../api/documents.ts";
import { isOfAll, type Resource, useDocument } from "../api/use-document.ts";
import { toVerdict } from "../format/freshness.ts";
import { toAddress } from "../format/url.ts";
import { Alert, Failed } from "./Failed.tsx";

interface DocumentProps<Document> {
  resource: Resource<Document>;
  /** Lines of the placeholder. */
  lines?: number;
  isEmpty?: (document: Document) => boolean;
  empty?: ComponentChildren;
  /** For a 404 that is no fault. */
  missing?: ComponentChildren;
  children: (document: Document) => ComponentChildren;
}

/** The shell shows what affects all blocks. */
export function Document<Document>(props: DocumentProps<Document>) {
  const {
    resource,
    lines = 4,
    isEmpty,
    empty = "There is nothing here yet.",
    missing,
    children,
  } = props;
  const { held, problem, reload } = resource;
  if (held === null && problem === null) return <Loading lines={lines} />;
  if (held === null) {
    const isMissing = isNotFound(problem) && missing !== undefined;
    return isMissing ? (
      <p class="state">{missing}</p>
    ) : (
      <Trouble problem={problem} reload={reload} />
    );
  }
  return (
    <>
      {(problem !== null || held.isStale) && <Stale problem={problem} reload={reload} />}
      <Failed
        of={held.document}
        instead={
          <Alert>
            This page cannot show the API's answer. The page may be out of date: load it again.
          </Alert>
        }
      >
        <Content document={held.document} isEmpty={isEmpty} empty={empty} show={children} />
      </Failed>
    </>
  );
}

interface ContentProps<Document> {
  document: Document;
  isEmpty: ((document: Document) => boolean) | undefined;
  empty: ComponentChildren;
  show: (document: Document) => ComponentChildren;
}

/** So that `Failed` around it catches its errors. */
function Content<Document>({ document, isEmpty, empty, show }: ContentProps<Document>) {
  return <>{isEmpty?.(document) === true ? <p class="state">{empty}</p> : show(document)}</>;
}

export function Loading({ lines }: { lines: number }) {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}

function Trouble({ problem, reload }: { problem: Problem | null; reload: () => void }) {
  if (problem !== null && isOfAll(problem)) return <p class="state">Not loaded yet.</p>;
  return (
    <Alert button="Try again" onPress={reload}>
      {problem !== null && toSentence(problem)}
    </Alert>
  );
}

function Stale({ problem, reload }: { problem: Problem | null; reload: () => void }) {
  if (problem !== null && isOfAll(problem))
    return (
      <p class="stale">
        <strong>Not up to date.</strong>
      </p>
    );
  return (
    <p class="stale" role="status">
      <strong>Not up to date.</strong>{" "}
      {problem === null
        ? "The API could read nothing newer and sent its last copy."
        : toSentence(problem)}{" "}
      {problem !== null && (
        <button type="button" class="link-button" onClick={reload}>
          Try again
        </button>
      )}
    </p>
  );
}

const STATUS_MILLISECONDS = 60_000;

/** The API may answer although nobody observes the network any more. */
export function OldData({ network }: { network: Network }) {
  const status = useDocument(documents.status(network), { everyMilliseconds: STATUS_MILLISECONDS })
    .held?.document.data;
  const now = apiNow.value;
  if (status === undefined || status.snapshotAt === null || now === null) return null;
  const { state, sentence } = toVerdict(status, now);
  if (state !== "failed") return null;
  return (
    <p class="stale" role="status">
      <strong>Not up to date.</strong> {sentence}{" "}
      <a href={toAddress("/status", { network })}>See the status page</a>
    </p>
  );
}
