import { toBounds, toDefault } from "../description/bounds.ts";
import type { Parameter } from "../description/description.ts";
import { Words } from "../prose/Prose.tsx";

/** What an operation takes: where, within which bounds, and what holds when it is left out. */
export function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <dl class="api-rows">
      {parameters.map(({ name, place, isRequired, description, schema }) => {
        const otherwise = toDefault(schema);
        return (
          <div key={`${place} ${name}`}>
            <dt>
              <code>{name}</code>
              <span class="quiet">
                {place}, {isRequired ? "needed" : "optional"}
              </span>
            </dt>
            <dd>
              <Words text={description} />
              <span class="bounds breakable">
                {toBounds(schema)}
                {otherwise !== null && (
                  <>
                    ; <strong>{otherwise}</strong> when left out
                  </>
                )}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
