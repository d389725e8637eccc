import type { Field } from "../description/fields.ts";
import { Words } from "../prose/Prose.tsx";

/** Every field of a document, with its type and what it means. */
export function Fields({ fields }: { fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <details class="figures">
      <summary>Fields ({fields.length})</summary>
      <dl class="api-rows">
        {fields.map(({ path, type, isNullable, isOptional, description }) => (
          <div key={path}>
            <dt>
              <code class="breakable">{path}</code>
              <span class="quiet">
                {type}
                {isNullable && ", or null"}
                {isOptional && ", may be missing"}
              </span>
            </dt>
            <dd>
              <Words text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
