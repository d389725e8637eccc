import "./at-once.ts";
import { describeInterleavings } from "./interleaved-cases.ts";

describeInterleavings({ generators: 2, from: 1, count: 50 });
