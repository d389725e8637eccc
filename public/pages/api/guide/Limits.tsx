import { Card } from "../../../parts/Card.tsx";
import type { Description, Header } from "../description/description.ts";
import { HeaderRows } from "../operation/HeaderRows.tsx";

const TOO_MANY = 429;

/** How much may be asked, and how an answer says what is left. */
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
      <HeaderRows headers={findHeaders(description)} />
    </Card>
  );
}

/** Of the answer to a request too many: it has them all. */
function findHeaders({ tags }: Description): readonly Header[] {
  const answers = tags.flatMap(({ operations }) => operations.flatMap((operation) => operation.answers));
  const headers = answers.find(({ status }) => status === TOO_MANY)?.headers ?? [];
  return headers.filter(({ name }) => /ratelimit|retry-after/i.test(name));
}
