import "./at-once.ts";
import { describeInterleavings } from "./interleaved-cases.ts";

describeInterleavings({ generators: 2, from: 501, count: 250 });
