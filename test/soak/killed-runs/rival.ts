import { kindOf } from "./kinds.ts";
import type { Generator } from "./processes.ts";
import { startRecordingProxy, type StoreRequest } from "./recording-proxy.ts";

/** A generator that goes on in the stores of those that are killed. */
export interface Rival {
  requests: StoreRequest[];
  /** From its first request to its first status: milliseconds. */
  worked: Promise<number>;
  /** Ends it as an operator would. Gives what was wrong with it. */
  stop(): Promise<string[]>;
}

/** @param options `start` starts it, with the address of its store */
export async function startRival(options: {
  endpoint: string;
  start: (endpoint: string) => Generator;
}): Promise<Rival> {
  const first = Promise.withResolvers<number>();
  const status = Promise.withResolvers<number>();
  const proxy = await startRecordingProxy({
    target: options.endpoint,
    letPass() {
      first.resolve(Date.now());
      return Promise.resolve(true);
    },
    onPhase(request) {
      if (kindOf(request) === "status" && request.phase === "answered") status.resolve(Date.now());
    },
  });
  const generator = options.start(proxy.url);
  const work = async () => (await status.promise) - (await first.promise);
  const failure = generator.ended.then((code) => {
    throw new Error(`a generator beside the killed ones ended with ${code}: ${generator.output()}`);
  });
  const worked = Promise.race([work(), failure]);
  // Who does not wait for it learns from stop() how it ended.
  worked.catch(() => undefined);
  failure.catch(() => undefined);
  return {
    requests: proxy.requests,
    worked,
    async stop() {
      const code = await generator.stop();
      await proxy.close();
      return code === 0 ? [] : [`a generator beside the killed ones ended with ${code}: ${generator.output().trim()}`];
    },
  };
}
