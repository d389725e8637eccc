import alert from "../../examples/alert.ts?raw";
import apy from "../../examples/apy.ts?raw";
import follow from "../../examples/follow.ts?raw";
import rugs from "../../examples/rugs.py?raw";
import verdict from "../../examples/verdict.html?raw";
import { Card } from "../../parts/Card.tsx";
import { CopyButton } from "../../parts/values.tsx";

/** Where the programs ask unless they are told otherwise. */
const DEFAULT_API = "http://127.0.0.1:8080";

const EXAMPLES = [
  {
    file: "alert.ts",
    title: "Alert: new RUGs of your validators",
    about: "Tells of each, and also if operators take it back.",
    code: alert,
  },
  {
    file: "follow.ts",
    title: "Follow: a copy of all events",
    about: "Reads the log of changes from where it stopped.",
    code: follow,
  },
  {
    file: "apy.ts",
    title: "APY: what a delegator earns",
    about: "Computes a yearly yield from inflation, stake and the commission that rewards pay.",
    code: apy,
  },
  {
    file: "rugs.py",
    title: "DuckDB: SQL over the exports",
    about: "Asks a Parquet file who rugged most often.",
    code: rugs,
  },
  {
    file: "verdict.html",
    title: "Browser: a validator's verdict on your page",
    about: "Works on any site: the API takes requests from every origin.",
    code: verdict,
  },
];

export function Examples() {
  return EXAMPLES.map(({ file, title, about, code }) => {
    const shown = code.replaceAll(DEFAULT_API, location.origin);
    return (
      <Card key={file} title={title} tools={<CopyButton text={shown} what={file} />}>
        <p class="api-lead">
          <code>{file}</code> {about}
        </p>
        <pre class="body sample" tabIndex={0} role="region" aria-label={file}>
          {shown}
        </pre>
      </Card>
    );
  });
}
