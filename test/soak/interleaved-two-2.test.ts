import "./at-once.ts";
import { describeInterleavings } from "./interleaved-cases.ts";

describeInterleavings({ generators: 2, from: 251, count: 250 });
