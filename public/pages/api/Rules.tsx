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
          You may send 60 requests a minute, unless <code>X-RateLimit-Limit</code> gives another
          number. You need no key and no account: a client is an IPv4 address, or the /64 network of
          an IPv6 address.
        </p>
        <p>
          The minute begins with your first request. All requests count, including refused ones and
          those answered with 304. Answers from the cache of a CDN or a browser do not count.
        </p>
        <p>
          Above the limit the API answers 429 with <code>Retry-After</code>, the whole seconds until
          the next minute begins. Wait that long: until then every request gets another 429.
        </p>
        <p>
          An answer with an <code>Age</code> may come from a shared cache. Its rate limit headers
          then belong to the client for which the cache fetched it.
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
            <code>Cache-Control</code> says how long an answer stays valid. Do not ask sooner:
            nothing will be new. After that, send your <code>ETag</code> as{" "}
            <code>If-None-Match</code>: if nothing is new, the API answers 304 without a body.
            Browsers do this by themselves.
          </p>
          <p>
            While the API cannot read its store, it sends its last copy with{" "}
            <code>X-Data-Stale: true</code>, and <code>Age</code> gives the seconds since it was
            known to be right. Without a copy it answers 503. Do not cache errors.
          </p>
          <p>
            The CDN or nginx before the API compresses answers of a kilobyte or more, if{" "}
            <code>Accept-Encoding</code> allows it. Their ETags are weak, and fit{" "}
            <code>If-None-Match</code> as they are.
          </p>
        </div>
        <HeaderRows headers={findHeaders(description, 200, /^(?:ETag|Age|X-Data-Stale|Vary)$/)} />
      </Card>
      <Card title="How long each answer is valid">
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

function findHeaders({ tags }: Description, status: number, names: RegExp): readonly Header[] {
  const headers = answersOf(tags).find((answer) => answer.status === status)?.headers ?? [];
  return headers.filter(({ name }) => names.test(name));
}

interface CacheRow {
  cacheControl: string;
  meaning: string;
  operations: readonly Operation[];
}

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
          Every error is JSON: <code>{'{ "error": { "code", "message" } }'}</code>. Branch on the
          code, whose meaning never changes. The message is for people and may change. Expect codes
          that you do not know: we may add some.
        </p>
        <p>
          The API checks, in this order: path, method, network, path parameters, query, existence.
          It answers with the first error. For a well-formed key that we do not know, a profile and
          a location are 404; events, histories and uptime are empty lists.
        </p>
        <p>
          After a 4xx, change the request. After 429 and 503, wait for the seconds in{" "}
          <code>Retry-After</code>. After 500, try again later.
        </p>
      </div>
      <dl class="api-rows">
        {[...Map.groupBy(toErrorCodes(description), ({ status }) => status)].map(
          ([status, codes]) => (
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
          ),
        )}
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
