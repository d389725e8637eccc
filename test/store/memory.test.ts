import { openMemoryStore } from "../../generator/store/memory.ts";
import { describeStore } from "./contract.ts";

describeStore("memory", () => Promise.resolve({ store: openMemoryStore(), dispose: () => Promise.resolve() }));
