import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { read, ROOT, scripts } from "./_files.ts";

const FOLDER = new URL("infra/systemd/", ROOT);

const units = readdirSync(FOLDER).map((name) => ({ name, settings: readSettings(read(`infra/systemd/${name}`)) }));
const services = units.filter(({ name }) => name.endsWith(".service"));

/** What a unit says under each name, in order. */
function readSettings(text: string): ReadonlyMap<string, string[]> {
  const lines = text.split("\n").flatMap((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1, 3) ?? []);
  const pairs = Array.from(
    { length: lines.length / 2 },
    (_, index) => [lines[index * 2], lines[index * 2 + 1]] as const,
  );
  const byName = Map.groupBy(pairs, ([name]) => name ?? "");
  return new Map([...byName].map(([name, own]) => [name, own.map(([, value]) => value ?? "")]));
}

/** The part of every service that takes rights away. */
const toHardening = (name: string) =>
  /^# Sandbox: [^]*?^SystemCallErrorNumber=.*$/m.exec(read(`infra/systemd/${name}`))?.[0];

describe("the units of systemd", () => {
  it("start what the scripts of the package start, with the same flags, and nothing else of ours", () => {
    const flagsOf = (line = "") => [...line.matchAll(/--(?:max-semi|no-allocation)\S+/g)].map(([flag]) => flag);
    const startOf = (name: string) => services.find((one) => one.name === name)?.settings.get("ExecStart")?.[0] ?? "";
    expect(flagsOf(startOf("rugwatch-proxy.service"))).toEqual(flagsOf(scripts["proxy"]));
    expect(flagsOf(startOf("rugwatch-generator.service"))).toEqual(flagsOf(scripts["generate"]));
    const files = services
      .flatMap(({ settings }) => settings.get("ExecStart") ?? [])
      .flatMap((line) => /\S+\.ts/.exec(line) ?? []);
    expect(files.length).toBe(3);
    expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  });

  it("take the same rights away from each service, and give root to none", () => {
    const [first, ...others] = services.map(({ name }) => toHardening(name));
    expect(first).toContain("ProtectSystem=strict");
    expect(others).toEqual(others.map(() => first));
    const isUser = ({ settings }: (typeof services)[number]) =>
      settings.has("DynamicUser") || settings.get("User")?.[0] === "rugwatch";
    expect(services.filter((one) => !isUser(one))).toEqual([]);
  });

  it("keep the journal from the proxy, and hold no secret", () => {
    const proxy = services.find(({ name }) => name === "rugwatch-proxy.service");
    expect(proxy?.settings.get("InaccessiblePaths")).toEqual(["-/var/lib/rugwatch/state"]);
    const said = units.flatMap(({ settings }) => settings.get("Environment") ?? []);
    expect(new Set(said)).toEqual(new Set(["NETWORK=mainnet"]));
  });

  it("begin what has a timer by it alone, and the others with the machine", () => {
    const timed = new Set(
      units.flatMap(({ name }) => (name.endsWith(".timer") ? [name.replace("timer", "service")] : [])),
    );
    expect([...timed]).toEqual(["rugwatch-backup.service", "rugwatch-verify.service"]);
    for (const { name, settings } of services) {
      expect([name, settings.has("WantedBy")]).toEqual([name, !timed.has(name)]);
      expect([name, settings.get("Restart")?.[0]]).toEqual([name, timed.has(name) ? undefined : "always"]);
    }
  });

  it("copy the journal by the lines of the runbook, which write over nothing and delete nothing", () => {
    const runbook = read("infra/RUNBOOK.md").replaceAll('"', "");
    const lines = services
      .flatMap(({ settings }) => settings.get("ExecStart") ?? [])
      .filter((one) => one.startsWith("rclone"));
    const plain = lines.map((line) =>
      line
        .replace(" --config ${CREDENTIALS_DIRECTORY}/rclone.conf", "")
        .replace("${FROM}", "state:rugwatch-state")
        .replace("${TO}", "copy:rugwatch-journal"),
    );
    expect(plain).toHaveLength(2);
    for (const line of plain) expect(runbook).toContain(`${line}\n`);
  });
});
