import "./at-once.ts";
import { describeInterleavings } from "./interleaved-cases.ts";

describeInterleavings({ generators: 3, from: 201, count: 50 });
