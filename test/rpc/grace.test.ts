import { describe, expect, it } from "vitest";
import { createGraces } from "../../generator/rpc/grace.ts";
import { toReply } from "../cluster/rpc/json.ts";
import { healthyNode, voteRow } from "../observe/cluster.ts";
import { entryOf, observe } from "../observe/observing.ts";
import { INSTEAD, resultOf, type Methods } from "./rpc-server.ts";

/** A node that answers from when it is released. */
function slowNode(isSlow: (method: string) => boolean) {
  const waiting: (() => void)[] = [];
  let isReleased = false;
  const node: Methods = {
    [INSTEAD](response, { body }) {
      const { method = "", params = [] } = body ?? {};
      if (isReleased || !isSlow(method)) return false;
      waiting.push(() => void response.end(toReply(1, resultOf(healthyNode(), method, params))));
      return true;
    },
  };
  const release = () => {
    isReleased = true;
    for (const answer of waiting.splice(0)) answer();
  };
  return { node, release };
}

describe("the grace of a witness that is later than a majority", () => {
  it.each(["getHealth", "getVoteAccounts"])(
    "suffices for an honest one whose %s takes four seconds more, while another lies",
    async (method) => {
      const slow = slowNode((asked) => asked === method);
      const liar = {
        getVoteAccounts: { current: [voteRow(1, { commission: 99 })], delinquent: [] },
      };
      const { observer } = await observe([liar, {}, slow.node], {
        later(milliseconds, task) {
          if (milliseconds < 4_000) task();
          else slow.release();
          return () => undefined;
        },
      });
      const { panel } = entryOf(await observer.check());
      expect(panel.map(({ list }) => list !== null)).toEqual([true, true, true]);
    },
  );

  it("ends with the question, also if that fails unexpectedly", async () => {
    const slow = slowNode((method) => method === "getHealth");
    const ends: string[] = [];
    const { observer } = await observe([{}, {}, slow.node], {
      later() {
        slow.release();
        return () => void ends.push("ended");
      },
      onCall({ endpoint, method }) {
        if (endpoint.endsWith("#2") && method === "getHealth") throw new Error("a bug");
      },
    });
    await expect(observer.check()).rejects.toThrow("a bug");
    expect(ends).toEqual(["ended"]);
  });

  it("does not begin after the question", async () => {
    const begun: number[] = [];
    const withGrace = createGraces({
      timer: () => 0,
      later(milliseconds) {
        begun.push(milliseconds);
        return () => undefined;
      },
      leastMilliseconds: 5_000,
    });
    const answer = await withGrace(["one", "two"], ({ answered }) => Promise.resolve(answered));
    for (const witness of ["one", "two"]) answer(witness);
    expect(begun).toEqual([]);
  });
});
