import { Card } from "../../../parts/Card.tsx";
import type { Description } from "../description/description.ts";
import { toErrorCodes } from "../description/errors.ts";
import { Words } from "../prose/Prose.tsx";

/** How the API says no, and everything that it may say. */
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
          <div key={status}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>
              <Words text={codes[0]?.meaning ?? ""} />
              <ul class="api-codes">
                {codes.map(({ code, message }) => (
                  <li key={code}>
                    <code>{code}</code> <span class="quiet breakable">{message}</span>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
