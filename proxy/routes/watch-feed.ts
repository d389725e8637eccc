import { compareText } from "../../generator/contract/lists.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { toAnswer, type Answer } from "../answer.ts";
import { toAgeHeaders, toJointAge, type Age } from "../cache/cache.ts";
import type { Documents } from "../cache/documents.ts";
import { ApiError } from "../errors.ts";
import { mergeFeeds } from "./merge-feeds.ts";
import { readVotes, type Route } from "./parameters.ts";

/** The feed of several validators, made of the published feeds of each. */
export function watchFeedRoute(documents: Documents): Route {
  return {
    operation: "watchFeed",
    async answer({ network, query }) {
      // Equal sets have one feed: readers tell feeds apart by their id.
      const votes = readVotes(query).toSorted(compareText);
      const read = await Promise.all(
        votes.map(async (votePubkey) => ({
          votePubkey,
          ...(await documents.get(network, "validatorAtomFeed", { votePubkey })),
        })),
      );
      const known = read.flatMap(({ value }) => value ?? []);
      const age = read.reduce<Age>(toJointAge, { stale: false, ageSeconds: 0 });
      if (known.length === 0)
        throw new ApiError("not_found", `No feed shows any of these validators on ${network}.`, {
          headers: toAgeHeaders(age),
        });
      const unknown = read.flatMap(({ value, votePubkey }) => (value === null ? votePubkey : []));
      const feeds = known.map(({ body }) => body.toString());
      const text = mergeFeeds(feeds, { network, votes, unknown });
      const how = { form: "atomFeed", modifiedAt: findNewest(known) } as const;
      return { ...age, value: toAnswer(text, OPERATIONS.watchFeed.cache, how) };
    },
  };
}

/** null: of one it is not known. */
function findNewest(answers: readonly Answer[]): number | null {
  const times = answers.map(({ modifiedAt }) => modifiedAt);
  return times.includes(null) ? null : Math.max(...times.map(Number));
}
