import { toAddress } from "../../format/url.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { HeaderRows } from "./OperationView.tsx";
import { Words } from "./Prose.tsx";
import type { Description, Header, Operation } from "./description.ts";
import { asRecord, asText } from "./schemas.ts";

export function Limits({ description }: { description: Description }) {
  return (
    <Card title="Limits">
      <div class="prose">
        <p>
          Every client has the same number of requests a minute: 60, unless <code>X-RateLimit-Limit</code> says another.
          There is no key and no account. A client is an IPv4 address, or the /64 network of an IPv6 address.
        </p>
        <p>
          The minute begins with the first request. All requests count, also those that are refused or answered with
          304. What a CDN or a browser answers from its own cache never gets here, and does not count.
        </p>
        <p>
          The request too many is answered with 429 and <code>Retry-After</code>, the whole seconds until the next
          minute begins. Wait for that long; asking sooner is answered with 429 again.
        </p>
        <p>
          An answer with an <code>Age</code> may come from a cache on the way. What it says of the limit then is about
          the client that it was fetched for.
        </p>
      </div>
      <HeaderRows headers={findHeaders(description, 429, /ratelimit|retry-after/i)} />
    </Card>
  );
}

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
        <HeaderRows headers={findHeaders(description, 200, /^(?:ETag|Age|X-Data-Stale|Vary)$/)} />
      </Card>
      <Card title="How long what is kept">
        <dl class="api-rows api-rows-wide">
          {toCacheRows(description).map(({ cacheControl, meaning, operations }) => (
            <Fact key={cacheControl} name={<code class="breakable">{cacheControl}</code>}>
              <Words text={meaning} />
              <ul class="api-links">
                {operations.map(({ id, summary }) => (
                  <li key={id}>
                    <a href={toAddress("/api", { operation: id, network })}>{summary}</a>
                  </li>
                ))}
              </ul>
            </Fact>
          ))}
        </dl>
      </Card>
    </>
  );
}

/** Headers of the first answer with a status. */
function findHeaders({ tags }: Description, status: number, names: RegExp): readonly Header[] {
  const headers = answersOf(tags).find((answer) => answer.status === status)?.headers ?? [];
  return headers.filter(({ name }) => names.test(name));
}

interface CacheRow {
  cacheControl: string;
  meaning: string;
  operations: readonly Operation[];
}

/** The operations by their Cache-Control, in the order of the description. */
export function toCacheRows({ tags }: Description): CacheRow[] {
  const rows = tags
    .flatMap(({ operations }) => operations)
    .flatMap((operation) => {
      const document = operation.answers.find(({ status }) => status === 200);
      const header = document?.headers.find(({ name }) => name === "Cache-Control");
      return header === undefined ? [] : [{ operation, header }];
    });
  return [...Map.groupBy(rows, ({ header }) => header.example ?? "")].map(([cacheControl, of]) => ({
    cacheControl,
    meaning: of[0]?.header.description ?? "",
    operations: of.map(({ operation }) => operation),
  }));
}

export function Errors({ description }: { description: Description }) {
  return (
    <Card title="Errors">
      <div class="prose">
        <p>
          Every error is JSON: <code>{'{ "error": { "code", "message" } }'}</code>. Read the code, which keeps its
          meaning; the message is for people and may change. New codes may be added, so have a branch for those that you
          do not know.
        </p>
        <p>
          What is checked first is answered first: path, method, network, parameters of the path, the query, and last
          whether the thing exists. A well-formed key that nobody knows is 404 for a profile and a location, and an
          empty list for events, histories and uptime.
        </p>
        <p>
          After a 4xx change the request. After 429 and 503 wait for the seconds of <code>Retry-After</code>; after 500
          try again later.
        </p>
      </div>
      <dl class="api-rows">
        {[...Map.groupBy(toErrorCodes(description), ({ status }) => status)].map(([status, codes]) => (
          <Fact key={status} name={<code>{status}</code>}>
            <Words text={codes[0]?.meaning ?? ""} />
            <ul class="api-codes">
              {codes.map(({ code, message }) => (
                <li key={code}>
                  <code>{code}</code> <span class="quiet breakable">{message}</span>
                </li>
              ))}
            </ul>
          </Fact>
        ))}
      </dl>
    </Card>
  );
}

interface ErrorCode {
  status: number;
  code: string;
  meaning: string;
  message: string;
}

/** Every error code once, by status. */
export function toErrorCodes({ tags }: Description): ErrorCode[] {
  const codes = new Map<string, ErrorCode>();
  for (const { status, description: meaning, examples } of answersOf(tags))
    for (const { name: code, value } of status >= 400 ? examples : [])
      if (!codes.has(code)) codes.set(code, { status, code, meaning, message: toMessage(value) });
  return [...codes.values()].sort((a, b) => a.status - b.status);
}

function answersOf(tags: Description["tags"]) {
  return tags.flatMap(({ operations }) => operations.flatMap(({ answers }) => answers));
}

function toMessage(body: unknown): string {
  return asText(asRecord(asRecord(body)["error"])["message"]);
}
