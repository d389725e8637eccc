import { UNINDEXED_SLOTS } from "../../../generator/chain/slots.ts";
import { createDoer, type Doer } from "./deeds.ts";
import { isPaid, readPaid, type Paid } from "./paid.ts";
import { LAST_EPOCH, settle, tell, type Actor, type Actors } from "./proof-story.ts";
import { play } from "./story.ts";
import { startValidator, waitForStake, type Validator } from "./validator.ts";
import { createVoter } from "./voter.ts";
import { watch, type Watching } from "./operator.ts";

export interface ObservedStory {
  validator: Validator;
  actors: Actors;
  doer: Doer;
  paid: ReadonlyMap<string, readonly Paid[]>;
  sites: Readonly<Record<string, Watching>>;
}

interface ObservedStoryOptions {
  slotsPerEpoch: number;
  endpointsOf: (url: string) => Record<string, string>;
  /** Clean-up, last first, also after a failure. */
  closing: (() => Promise<void>)[];
}

/** Long enough that a flip of a few slots fits between two polls. */
const CADENCE = { checkMilliseconds: 6_000, snapshotMilliseconds: 18_000 };

export async function observeStory(options: ObservedStoryOptions): Promise<ObservedStory> {
  const { slotsPerEpoch, endpointsOf, closing } = options;
  const validator = await startValidator({ slotsPerEpoch });
  closing.push(() => validator.close());
  const voter = createVoter(validator.ask, validator.faucet);
  const doer = createDoer(validator);
  const actors = await settle(validator, voter, doer);
  await waitForStake(validator);
  const sites: Record<string, Watching> = {};
  for (const [name, urls] of Object.entries(endpointsOf(validator.url))) {
    const site = await watch(urls, CADENCE);
    closing.push(() => site.close());
    sites[name] = site;
  }
  await Promise.all(Object.values(sites).map(({ begun }) => begun));
  const steps = tell(actors, { validator, doer });
  // The last changes are proved once no node's index can lack them.
  const until = LAST_EPOCH + 2 + Math.ceil(UNINDEXED_SLOTS / slotsPerEpoch);
  await play(validator, { steps, until, meanwhile: () => voter.vote() });
  await Promise.all(Object.values(sites).map((site) => site.stop()));
  const paid = new Map<string, Paid[]>();
  for (const actor of Object.values(actors))
    paid.set(actor.name, await readAllPaid(validator, actor));
  return { validator, actors, doer, paid, sites };
}

async function readAllPaid({ ask }: Validator, { vote, stake }: Actor): Promise<Paid[]> {
  const paid: Paid[] = [];
  for (let epoch = 0; epoch <= LAST_EPOCH; epoch++)
    paid.push(await readPaid(ask, { vote, stake }, epoch));
  return paid.filter(isPaid);
}
