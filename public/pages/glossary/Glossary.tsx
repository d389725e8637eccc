import { useEffect } from "preact/hooks";
import glossary from "virtual:glossary";
import { Card } from "../../parts/Card.tsx";
import { Markdown } from "../../parts/Markdown.tsx";
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
      <Card title="Terms">
        <dl class="glossary-terms">
          {glossary.map(({ name, anchor, nodes }) => (
            <div key={anchor} id={anchor} class="glossary-term">
              <dt>
                <a href={`#${anchor}`}>{name}</a>
              </dt>
              <dd>
                <Markdown nodes={nodes} />
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  );
}
