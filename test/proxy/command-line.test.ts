import { execFile } from "node:child_process";
import { describe, expect, it } from "vitest";
import { variables } from "../../proxy/settings.ts";

interface Ended {
  code: number;
  output: string;
}

/** Runs the proxy's command line to its end. */
function run(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["proxy/main.ts", ...args],
      { env: environment, timeout: 100_000 },
      (error, out, err) => {
        resolve({ code: Number(error?.code ?? 0), output: out + err });
      },
    );
  });
}

describe("the command line of the proxy", () => {
  it("tells every variable, with what it means and its default", async () => {
    const { code, output } = await run(["--help"]);
    expect(code).toBe(0);
    for (const name of Object.keys(variables.shape))
      expect(output).toMatch(new RegExp(`^  ${name} +\\S.* \\(default: .+\\)$`, "m"));
    expect(output).toContain("requests a minute for each client (default: 60)");
  });

  it.each([
    [["--processes", "2"], "unknown option '--processes'"],
    [["8080"], "too many arguments"],
  ])("refuses %j with 2", async (args, complaint) => {
    const { code, output } = await run(args);
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(complaint) as string });
  });

  it("refuses settings that cannot be meant with 2, all of them at once", async () => {
    const { code, output } = await run([], {
      LOG_LEVEL: "loud",
      LOG_REQUESTS: "yes",
      METRICS_PORT: "-1",
      DRAIN_SECONDS: "301",
    });
    expect(code).toBe(2);
    for (const line of [
      'LOG_LEVEL is "loud": it must be info, warn or error.',
      'LOG_REQUESTS is "yes": it must be 0 or 1.',
      'METRICS_PORT is "-1": it must be a whole number from 0 to 65535.',
      'DRAIN_SECONDS is "301": it must be a whole number from 0 to 300.',
    ])
      expect(output).toContain(line);
  });
});
