import type { Network } from "../../../generator/contract/networks.ts";
import { toDisputeAddress } from "../../format/dispute.ts";
import { toValidatorAddress } from "../../format/url.ts";
import { Card } from "../../parts/Card.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { CopyButton } from "../../parts/values.tsx";

interface ShareProps {
  network: Network;
  votePubkey: string;
}

export function Share({ network, votePubkey }: ShareProps) {
  const badge = `/badges/${network}/${votePubkey}.svg`;
  const { markdown, html } = toEmbedCode(location.origin, { network, votePubkey });
  return (
    <Card title="Share">
      <p>
        <img src={badge} alt="Badge of this validator" height={20} loading="lazy" />
      </p>
      <p>
        Put this badge on your site. It shows whether this validator ever raised a commission, and
        updates itself within minutes.
      </p>
      <Code name="Markdown" text={markdown} />
      <Code name="HTML" text={html} />
      <Dispute votePubkey={votePubkey} event={null} />
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

/** Nothing if the site knows no repository. */
export function Dispute({ votePubkey, event }: { votePubkey: string; event: string | null }) {
  const { network } = useUrl();
  const address = toDisputeAddress({ network, votePubkey, event });
  if (address === null) return null;
  return (
    <p>
      <a href={address} target="_blank" rel="noreferrer">
        Dispute this
        <span class="visually-hidden"> in the project's issues (new page)</span>
      </a>
      : an operator checks the readings behind it and answers in public.
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
