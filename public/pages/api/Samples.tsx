import { readChoice } from "../../format/url.ts";
import { Choice } from "../../parts/Card.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { CopyButton } from "../../parts/values.tsx";
import type { Operation } from "./description.ts";
import { toTrial, type Values } from "./request.ts";
import { LANGUAGES, toSample } from "./sample-code.ts";

interface SamplesProps {
  operation: Operation;
  values: Values;
  /** The reader's values, not examples. */
  isOwn: boolean;
}

export function Samples({ operation, values, isOwn }: SamplesProps) {
  const { query, change } = useUrl();
  const language = readChoice(query["language"], LANGUAGES, LANGUAGES[0]);
  const trial = toTrial(operation, values);
  const mediaType = operation.answers.find(({ status }) => status < 300)?.mediaType ?? "";
  const isJson = mediaType === "application/json" && operation.path.startsWith("/api/v1/");
  const code = toSample(language, trial, { origin: location.origin, isJson });
  return (
    <div class="ways">
      <div class="samples-tools">
        <Choice
          label="Language"
          chosen={language}
          options={LANGUAGES.map((name) => ({ value: name, name }))}
          onChoose={(name) =>
            change({ language: name === LANGUAGES[0] ? null : name }, { replace: true })
          }
        />
        <CopyButton text={code} what={`the ${language} sample`} />
      </div>
      <pre class="body sample" tabIndex={0} role="region" aria-label={`${language} sample`}>
        {code}
      </pre>
      {isOwn ? (
        <p>
          <a class="breakable" href={trial.target}>
            {location.origin + trial.target}
          </a>
        </p>
      ) : (
        <p class="quiet">Examples stand in for the values that the form above still needs.</p>
      )}
    </div>
  );
}
