import "./at-once.ts";
import { describeInterleavings } from "./interleaved-cases.ts";

describeInterleavings({ generators: 3, from: 751, count: 250 });
