/*
 * The library of metrics takes some 50 ms and a few MB to load. All that needs it is loaded from here, and only where
 * METRICS_PORT is set; others import types of it.
 */

/** The metrics of one process. */
export const loadMetrics = () => import("./metrics.ts");

/** The metrics of several processes, in the first one. */
export const loadProcessMetrics = () => import("./process-metrics.ts");
