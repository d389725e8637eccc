import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Load {
  stop(): Promise<void>;
}

/** Processes that do nothing but compute. They end by themselves if the test cannot end them. */
export function startLoad(count: number, { seconds }: { seconds: number }): Load {
  const loop = `for (const end = Date.now() + ${seconds * 1000}; Date.now() < end; );`;
  const busy = Array.from({ length: count }, () => {
    const program = spawn(process.execPath, ["--eval", loop], { stdio: "ignore" });
    return { program, ended: once(program, "exit") };
  });
  return {
    async stop() {
      for (const { program } of busy) program.kill("SIGKILL");
      await Promise.all(busy.map(({ ended }) => ended));
    },
  };
}
