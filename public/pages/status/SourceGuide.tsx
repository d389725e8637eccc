import type { Status } from "../../../generator/contract/status.ts";
import { Card, Fact } from "../../parts/Card.tsx";

export function SourceGuide() {
  return (
    <Card title="What the sources are for">
      <dl class="guide">
        {Object.values(SOURCE_WORDS).map(({ title, purpose, loss }) => (
          <Fact key={title} name={title}>
            <p>{purpose}</p>
            <p class="quiet">Without it: {loss}</p>
          </Fact>
        ))}
      </dl>
      <p class="quiet guide-states">
        <strong>ok</strong>: read as it should be. <strong>degraded</strong>: the last reading failed and older facts
        are shown, or it was read in a second-best way. <strong>failed</strong>: never read. <strong>off</strong>: not
        set up for this network.
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

/** For people who never ran a validator. */
export const SOURCE_WORDS: Readonly<Record<SourceName, SourceWords>> = {
  votes: {
    title: "Vote accounts",
    purpose: "Commission, active stake and whether a validator votes, read from the cluster each minute.",
    loss: "No change of commission can be seen. Everything stays as it was at the last success.",
  },
  nodes: {
    title: "Nodes",
    purpose: "Which software and version each node announces to the others, and at which network address.",
    loss: "Versions and clients stay as they were, and moves are noticed late.",
  },
  info: {
    title: "Names",
    purpose: "Names, icons and websites that validators publish about themselves on the chain.",
    loss: "New names appear late. Nothing is calculated with them.",
  },
  production: {
    title: "Block production",
    purpose: "Which blocks each validator was to produce, and which it did.",
    loss: "Skip rates and leader slots stay as they were.",
  },
  stakeAccounts: {
    title: "Stake accounts",
    purpose: "Stake that arrives or leaves with the next epoch, summed over every stake account about once an hour.",
    loss: "Arriving and leaving stake is old, or not known for this epoch. Active stake does not depend on it.",
  },
  mev: {
    title: "MEV commission",
    purpose: "The share of tips that a validator keeps, from the MEV vendor or its accounts on the chain.",
    loss: "Changes of MEV commission are seen late. Those of inflation commission do not depend on it.",
  },
  locations: {
    title: "Locations",
    purpose: "Country, city and data center of each node, looked up in files by its address.",
    loss: "Locations stay as they were or are missing, and so is what depends on them in Concentration.",
  },
  issuance: {
    title: "Inflation and supply",
    purpose: "What the cluster pays to stakers in this epoch: the yearly rate, the supply, and the length of a slot.",
    loss: "What a change costs in SOL is worked out from the epoch before, or not at all. Changes are still found.",
  },
  witnesses: {
    title: "Witnesses",
    purpose: "The independent endpoints that must show a change of commission before it is published.",
    loss: "No change can be confirmed. Those that are seen wait below until enough endpoints answer again.",
  },
};

/** A source that this site does not know keeps its own name. */
export function toSourceTitle(name: string): string {
  return Object.hasOwn(SOURCE_WORDS, name) ? SOURCE_WORDS[name as SourceName].title : name;
}
