import { useEffect } from "preact/hooks";
import glossary from "virtual:glossary";
import { Card } from "../../parts/Card.tsx";
import { Markdown } from "../../parts/Markdown.tsx";
import { GROUPS } from "./groups.ts";
import "../../style/glossary.css";

export default function Glossary() {
  useEffect(() => {
    // The browser looked for the anchor before this page loaded.
    if (location.hash !== "") location.replace(location.hash);
  }, []);
  return (
    <div class="stack">
      <header class="page-header">
        <h1>Glossary</h1>
      </header>
      <nav class="glossary-groups" aria-label="Groups of terms">
        {GROUPS.map(({ title, anchor }) => (
          <a key={anchor} href={`#group-${anchor}`}>
            {title}
          </a>
        ))}
      </nav>
      {GROUPS.map(({ title, anchor, terms }) => (
        <Card key={anchor} title={title} anchor={`group-${anchor}`}>
          <dl class="glossary-terms">
            {terms
              .flatMap((term) => glossary.find(({ name }) => name === term) ?? [])
              .map(({ name, anchor: of, nodes }) => (
                <div key={of} id={of} class="glossary-term">
                  <dt>
                    <a href={`#${of}`}>{name}</a>
                  </dt>
                  <dd>
                    <Markdown nodes={nodes} />
                  </dd>
                </div>
              ))}
          </dl>
        </Card>
      ))}
    </div>
  );
}
