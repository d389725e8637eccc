import { EventEmitter } from "node:events";
import { Counter, Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  METRICS_DEADLINE_MILLISECONDS,
  shareMetrics,
  type MetricsChannel,
} from "../../../proxy/operations/metrics-channel.ts";
import { createProcessMetrics, type ServingProcess } from "../../../proxy/operations/process-metrics.ts";

type Message = Parameters<NonNullable<MetricsChannel["send"]>>[0];

/** A process that counts, and one end of the channel to it; while it hangs, what it is asked waits. */
function openProcess(id: number) {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  const registry = new Registry();
  const counter = new Counter({ name: "counted_total", help: "Counted.", registers: [registry] });
  const unheard: Message[] = [];
  const hands = { hangs: false, isConnected: true };
  const hear = (message: Message) => there.emit("message", structuredClone(message));
  shareMetrics(
    { registry },
    {
      on: (event, listener) => there.on(event, listener),
      off: (event, listener) => there.off(event, listener),
      send: (message) => here.emit("message", structuredClone(message)),
    },
  );
  const process: ServingProcess & { id: number } = {
    id,
    isConnected: () => hands.isConnected,
    on: (event, listener) => here.on(event, listener),
    off: (event, listener) => here.off(event, listener),
    send: (message) => (hands.hangs ? unheard.push(message) > 0 : hear(message)),
  };
  const goOn = () => {
    hands.hangs = false;
    for (const message of unheard.splice(0)) hear(message);
  };
  return { process, counter, registry, hands, here, goOn };
}

function open() {
  const processes = [openProcess(1), openProcess(2)] as const;
  const silent: [number, string][] = [];
  const metrics = createProcessMetrics({
    getServing: () => processes.map(({ process }) => process),
    onSilent: ({ id }, error) => void silent.push([id, String(error)]),
  });
  const read = async () => {
    const text = metrics.read();
    await vi.advanceTimersByTimeAsync(METRICS_DEADLINE_MILLISECONDS);
    const value = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(lines)?.[1];
    const lines = await text;
    const names = ["counted_total", "rugwatch_processes", "rugwatch_processes_silent", "rugwatch_process_deaths_total"];
    return names.map(value);
  };
  return { processes, silent, metrics, read };
}

describe("the metrics of several processes", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("are added up", async () => {
    const { processes, metrics, silent, read } = open();
    processes[0].counter.inc(3);
    processes[1].counter.inc(4);
    metrics.countDeath();
    expect(await read()).toEqual(["7", "2", "0", "1"]);
    expect(silent).toEqual([]);
    expect(processes[0].here.listenerCount("message")).toBe(0);
  });

  it("keep the last word of one that hangs, and no sum falls", async () => {
    const { processes, silent, read } = open();
    for (const { counter } of processes) counter.inc(10);
    await read();
    processes[1].hands.hangs = true;
    for (const { counter } of processes) counter.inc(1);
    expect(await read()).toEqual(["21", "2", "1", "0"]);
    expect(silent).toEqual([[2, "Error: no answer within 2000 ms"]]);
    processes[1].goOn();
    expect(await read()).toEqual(["22", "2", "0", "0"]);
  });

  it("take no late answer for one to a later question", async () => {
    const { processes, read } = open();
    const [, { hands, here, counter }] = processes;
    hands.hangs = true;
    await read();
    expect(here.listenerCount("message")).toBe(0);
    const asked = read();
    here.emit("message", { rugwatch: "measured", question: 2, measured: [] });
    here.emit("message", { rugwatch: "another" });
    counter.inc(5);
    expect(await asked).toEqual(["0", "2", "1", "0"]);
  });

  it("are those of the others where one has never said a word, or cannot", async () => {
    const { processes, silent, read } = open();
    processes[0].counter.inc(3);
    vi.spyOn(processes[1].registry, "getMetricsAsJSON").mockRejectedValue(new Error("broken"));
    expect(await read()).toEqual(["3", "2", "1", "0"]);
    expect(silent).toEqual([[2, "Error: it cannot read them"]]);
  });

  it("do not ask one whose channel is closed, and do not call silent one that ended meanwhile", async () => {
    const { processes, silent, read } = open();
    processes[0].hands.isConnected = false;
    processes[1].counter.inc(1);
    expect(await read()).toEqual(["1", "1", "0", "0"]);
    processes[1].hands.hangs = true;
    const asked = read();
    processes[1].hands.isConnected = false;
    expect((await asked)[2]).toBe("0");
    expect(silent).toEqual([]);
  });
});
