import { toAddress } from "../../../app/url.ts";
import { useUrl } from "../../../app/use-url.ts";
import { Card } from "../../../parts/Card.tsx";
import { toCacheRows } from "../description/caching.ts";
import type { Description } from "../description/description.ts";
import { HeaderRows } from "../operation/HeaderRows.tsx";
import { Words } from "../prose/Prose.tsx";

/** How long an answer holds, and how to ask again for little. */
export function Caching({ description }: { description: Description }) {
  const { network } = useUrl();
  return (
    <>
      <Card title="Caching">
        <div class="prose">
          <p>
            <code>Cache-Control</code> says how long an answer holds: ask no sooner, nothing will be new. After that ask
            with <code>If-None-Match</code> and the <code>ETag</code> that you hold: while nothing is new the answer is
            304 without a body. Browsers do so by themselves.
          </p>
          <p>
            While the API cannot read its store it answers with what it holds, and says so with{" "}
            <code>X-Data-Stale: true</code>. <code>Age</code> says how many seconds ago that was known to be right. Only
            where nothing is held the answer is 503. Errors are never kept.
          </p>
          <p>
            Answers of a kilobyte or more come as <code>br</code> or <code>gzip</code> where{" "}
            <code>Accept-Encoding</code> allows it. Each coding has an ETag of its own.
          </p>
        </div>
        <HeaderRows headers={findHeaders(description)} />
      </Card>
      <Card title="How long what is kept">
        <dl class="api-rows api-rows-wide">
          {toCacheRows(description).map(({ cacheControl, meaning, operations }) => (
            <div key={cacheControl}>
              <dt>
                <code class="breakable">{cacheControl}</code>
              </dt>
              <dd>
                <Words text={meaning} />
                <ul class="api-links">
                  {operations.map(({ id, summary }) => (
                    <li key={id}>
                      <a href={toAddress("/api", { operation: id, network })}>{summary}</a>
                    </li>
                  ))}
                </ul>
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}

/** Of a document: what a cache or a client goes by. */
function findHeaders({ tags }: Description) {
  const answers = tags.flatMap(({ operations }) => operations.flatMap((operation) => operation.answers));
  const headers = answers.find(({ status }) => status === 200)?.headers ?? [];
  return headers.filter(({ name }) => ["ETag", "Age", "X-Data-Stale", "Vary"].includes(name));
}
