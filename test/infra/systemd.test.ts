import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as generator from "../../generator/settings/settings.ts";
import * as proxy from "../../proxy/settings.ts";
import { read, ROOT, scripts } from "./_files.ts";

const FOLDER = new URL("infra/systemd/", ROOT);

const files = readdirSync(FOLDER).map((name) => ({
  name,
  settings: readSettings(read(`infra/systemd/${name}`)),
}));
const units = files.filter(({ name }) => !name.endsWith(".example"));
const services = units.filter(({ name }) => name.endsWith(".service"));

function readSettings(text: string): ReadonlyMap<string, string[]> {
  const byName = Map.groupBy(text.matchAll(/^(\w+)=(.*)$/gm), ([, name = ""]) => name);
  return new Map([...byName].map(([name, own]) => [name, own.map(([, , value = ""]) => value)]));
}

const findAll = (name: string, of = services) =>
  of.flatMap(({ settings }) => settings.get(name) ?? []);

const REPORTER = "rugwatch-failed@.service";

const toHardening = (name: string) =>
  /^# Sandbox: [^]*?^SystemCallErrorNumber=.*$/m.exec(read(`infra/systemd/${name}`))?.[0];

describe("the units of systemd", () => {
  it("start what the scripts of the package start, with the same flags, and nothing else of ours", () => {
    const flagsOf = (line = "") =>
      [...line.matchAll(/--(?:max-semi|no-allocation)\S+/g)].map(([flag]) => flag);
    const startOf = (name: string) =>
      services.find((one) => one.name === name)?.settings.get("ExecStart")?.[0] ?? "";
    expect(flagsOf(startOf("rugwatch-proxy.service"))).toEqual(flagsOf(scripts["proxy"]));
    expect(flagsOf(startOf("rugwatch-generator.service"))).toEqual(flagsOf(scripts["generate"]));
    const programs = findAll("ExecStart").flatMap((line) => /\S+\.ts/.exec(line) ?? []);
    expect(programs.length).toBe(3);
    expect(programs.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
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
    const ofProxy = services.filter(({ name }) => name === "rugwatch-proxy.service");
    expect(findAll("InaccessiblePaths", ofProxy)).toEqual(["-/var/lib/rugwatch/state"]);
    expect(new Set(findAll("Environment", units))).toEqual(new Set(["NETWORK=mainnet"]));
  });

  it("report a failure of each service, by a unit that reports its own to nobody", () => {
    for (const { name, settings } of services) {
      const told = name === REPORTER ? undefined : ["rugwatch-failed@%n.service"];
      expect([name, settings.get("OnFailure")]).toEqual([name, told]);
    }
  });

  it("begin what has a timer by it alone, and the others with the machine", () => {
    const timers = units.map(({ name }) => name).filter((name) => name.endsWith(".timer"));
    expect(timers).toEqual(["rugwatch-backup.timer", "rugwatch-verify.timer"]);
    for (const { name, settings } of services.filter((one) => one.name !== REPORTER)) {
      const isTimed = timers.includes(name.replace("service", "timer"));
      const told = [name, settings.has("WantedBy"), settings.get("Restart")?.[0]];
      expect(told).toEqual([name, !isTimed, isTimed ? undefined : "always"]);
    }
  });

  it("copy the journal by the lines of the runbook, which write over nothing and delete nothing", () => {
    const runbook = read("infra/RUNBOOK.md").replaceAll('"', "");
    const lines = findAll("ExecStart").filter((one) => one.startsWith("rclone"));
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

describe("the sample settings", () => {
  const samples = files.filter(({ name }) => name.endsWith(".example"));

  it("are of the files that the units read", () => {
    const named = findAll("EnvironmentFile", units);
    const copied = samples.map(({ name }) => `/etc/rugwatch/${name.replace(".example", "")}`);
    expect(copied.toSorted()).toEqual([...new Set(named)].toSorted());
  });

  it.each([
    [
      "generator.env.example",
      ["NETWORK", ...Object.keys(generator.variables.shape)],
      generator.readSettings,
    ],
    ["proxy.env.example", Object.keys(proxy.variables.shape), proxy.readSettings],
  ] as const)(
    "%s names only variables that are read, with values that are taken",
    (name, known, readThem) => {
      const lines = read(`infra/systemd/${name}`).matchAll(/^#?([A-Z_]+)=(.*)$/gm);
      const given = [...lines].map(([, variable = "", value = ""]) => [variable, value] as const);
      const own = given.filter(([variable]) => !variable.startsWith("AWS_"));
      expect(own.length).toBeGreaterThan(4);
      expect(own.filter(([variable]) => !known.includes(variable))).toEqual([]);
      const plain = own.filter(([variable]) => !["ALERT_WEBHOOKS", "SITE_DIR"].includes(variable));
      expect(() => readThem(Object.fromEntries(plain))).not.toThrow();
    },
  );

  it("let the proxy read what the generator publishes", () => {
    const store = "file:/var/lib/rugwatch/public";
    expect(findAll("RUGWATCH_PUBLIC", samples)).toEqual([store, store]);
  });
});
