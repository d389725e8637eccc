/** What the words mean that delegators must know, in a sentence or two each. */
export const TERMS = {
  rug: {
    name: "RUG",
    text: "A commission raised to 90 % or more: nearly nothing of the rewards is left to the delegators.",
  },
  caution: {
    name: "CAUTION",
    text: "A commission raised by 10 percentage points or more (of MEV by 20), to less than 90 %; or MEV switched on at 90 % or more.",
  },
  info: { name: "INFO", text: "Every other change: small rises, falls, and MEV switched on or off." },
  announced: {
    name: "Announced",
    text: "The inflation commission that stands in the vote account now. Rewards pay it later, if it still stands then.",
  },
  paid: {
    name: "Paid",
    text: "The inflation commission that the rewards of an epoch really pay: the one that stood at the end of the epoch two before it.",
  },
  inflation: {
    name: "Inflation commission",
    text: "The validator's share of the new SOL that the network gives to stake. It is what most delegators earn.",
  },
  mev: {
    name: "MEV commission",
    text: "The validator's share of the tips for the order of transactions in its blocks. A new rate is paid at once.",
  },
  priorityFees: {
    name: "Priority fees",
    text: "What senders pay to be served first. The commission is what the validator keeps of them instead of sharing it.",
  },
  epoch: {
    name: "Epoch",
    text: "The network's unit of time, about a day on mainnet. Rewards are paid, and stake moves, from one epoch to the next.",
  },
  provisional: {
    name: "Provisional",
    text: "Who is in the next validator sets may still change the epoch from which the rate is paid.",
  },
  activeStake: { name: "Active stake", text: "SOL delegated to the validator that counts and earns in this epoch." },
  delinquent: {
    name: "Delinquent",
    text: "The validator does not vote at present. While it does not, stake with it earns nothing.",
  },
  flips: {
    name: "Flips",
    text: "How often a commission turned round: a rise after a fall, or a fall after a rise. It is a way to look cheap and be dear.",
  },
  uptime: {
    name: "Uptime",
    text: "The share of checks, one a minute, in which the validator voted. Minutes in which the whole network stood do not count.",
  },
  nakamoto: {
    name: "Nakamoto coefficient",
    text: "The fewest that hold a third of the stake together: the smaller, the easier the network is stopped.",
  },
} as const satisfies Record<string, { name: string; text: string }>;

export type TermName = keyof typeof TERMS;
