import changelog from "virtual:changelog";
import { Card } from "../../parts/Card.tsx";
import { Markdown } from "../../parts/Markdown.tsx";

export function Changelog() {
  return (
    <Card title="Changelog">
      <div class="prose">
        <Markdown nodes={changelog.children.filter(({ type, depth }) => type !== "heading" || depth !== 1)} />
      </div>
    </Card>
  );
}
