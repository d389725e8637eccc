import type { Network } from "../../../generator/contract/networks.ts";
import { toValidatorAddress } from "../../format/url.ts";
import { Card } from "../../parts/Card.tsx";
import { CopyButton } from "../../parts/values.tsx";

interface ShareProps {
  network: Network;
  votePubkey: string;
}

export function Share({ network, votePubkey }: ShareProps) {
  const badge = `/badges/${network}/${votePubkey}.svg`;
  const { markdown, html } = toEmbedCode(location.origin, { network, votePubkey });
  return (
    <Card title="Share this validator's badge" folds="always">
      <p>
        <img src={badge} alt="Badge of this validator" height={20} loading="lazy" />
      </p>
      <p>
        Put this badge on your site. It shows whether this validator ever raised a commission, and
        updates itself within minutes.
      </p>
      <Code name="Markdown" text={markdown} />
      <Code name="HTML" text={html} />
    </Card>
  );
}

function Code({ name, text }: { name: string; text: string }) {
  return (
    <p class="feed-address">
      {name}: <code class="breakable">{text}</code>{" "}
      <CopyButton text={text} what={`the badge as ${name}`} />
    </p>
  );
}

/** The badge with a link to the validator's page. Base58 keys need no escaping. */
export function toEmbedCode(
  origin: string,
  { network, votePubkey }: ShareProps,
): { markdown: string; html: string } {
  const image = `${origin}/badges/${network}/${votePubkey}.svg`;
  const page = origin + toValidatorAddress(votePubkey, network);
  return {
    markdown: `[![rugwatch](${image})](${page})`,
    html: `<a href="${page}"><img src="${image}" alt="rugwatch" height="20"></a>`,
  };
}
