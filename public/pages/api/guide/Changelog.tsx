import changelog from "virtual:changelog";
import { Card } from "../../../parts/Card.tsx";
import { Markdown } from "./Markdown.tsx";

/** What a client of the API saw change: CHANGELOG_API.md as it was when the site was built. */
export function Changelog() {
  return (
    <Card title="Changelog">
      <div class="prose">
        <Markdown nodes={changelog.children.filter(({ type, depth }) => type !== "heading" || depth !== 1)} />
      </div>
    </Card>
  );
}
