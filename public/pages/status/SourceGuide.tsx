import type { Status } from "../../../generator/contract/status.ts";
import { Card, Fact } from "../../parts/Card.tsx";

export function SourceGuide() {
  return (
    <Card title="What the sources are for" folds="always">
      <dl class="guide">
        {Object.values(SOURCE_WORDS).map(({ title, purpose, loss }) => (
          <Fact key={title} name={title}>
            <p>{purpose}</p>
            <p class="quiet">Without it: {loss}</p>
          </Fact>
        ))}
      </dl>
      <p class="quiet guide-states">
        <strong>ok</strong>: works. <strong>degraded</strong>: the last reading failed, so pages
        show older values; or we read it in a second-best way. <strong>failed</strong>: never read.{" "}
        <strong>off</strong>: not set up for this network.
      </p>
    </Card>
  );
}

type SourceName = Status["sources"][number]["name"];

interface SourceWords {
  title: string;
  purpose: string;
  loss: string;
}

const SOURCE_WORDS: Readonly<Record<SourceName, SourceWords>> = {
  votes: {
    title: "Vote accounts",
    purpose:
      "Commission, active stake and voting of each validator, read from the cluster at least " +
      "once a minute.",
    loss: "We see no change of commission. Everything stays as it was.",
  },
  nodes: {
    title: "Nodes",
    purpose: "The software, version and network address that each node announces to the others.",
    loss: "Versions and clients stay as they were. We notice moves late.",
  },
  info: {
    title: "Names",
    purpose: "Names, icons and websites that validators publish on the chain.",
    loss: "New names appear late. Commissions do not depend on them.",
  },
  production: {
    title: "Block production",
    purpose: "The blocks that each validator should have produced, and those that it did.",
    loss: "Skip rates and leader slots stay as they were.",
  },
  stakeAccounts: {
    title: "Stake accounts",
    purpose:
      "Stake that arrives or leaves with the next epoch, summed over every stake account " +
      "about once an hour.",
    loss: "Arriving and leaving stake is old or not known. Active stake does not depend on it.",
  },
  mev: {
    title: "MEV commission",
    purpose:
      "The share of tips that a validator keeps, from its accounts on the chain; who shares " +
      "tips, from the MEV vendor.",
    loss: "We see changes of MEV commission late. Inflation commission does not depend on it.",
  },
  locations: {
    title: "Locations",
    purpose: "Country, city and data center of each node, by its network address.",
    loss: "Locations stay as they were or are missing, on the page Concentration too.",
  },
  issuance: {
    title: "Inflation and supply",
    purpose:
      "What the cluster pays to stakers in this epoch: the yearly rate, the supply, and the " +
      "length of a slot.",
    loss: "The cost of a change in SOL uses the epoch before, or is missing. We still see changes.",
  },
  witnesses: {
    title: "Witnesses",
    purpose:
      "The independent endpoints that must show a change of commission before it is published.",
    loss:
      "No change can be confirmed. Those that are seen wait below until enough endpoints " +
      "answer again.",
  },
};

export function toSourceTitle(name: string): string {
  return Object.hasOwn(SOURCE_WORDS, name) ? SOURCE_WORDS[name as SourceName].title : name;
}
