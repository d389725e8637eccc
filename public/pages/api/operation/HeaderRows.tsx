import type { Header } from "../description/description.ts";
import { Words } from "../prose/Prose.tsx";

/** Headers with what they say, and how that looks. */
export function HeaderRows({ headers }: { headers: readonly Header[] }) {
  return (
    <dl class="api-rows">
      {headers.map(({ name, description, example }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <Words text={description} />
            {example !== null && <code class="bounds breakable">{example}</code>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
