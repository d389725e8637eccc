import { lazy } from "preact-iso";
import type { ComponentType } from "preact";
import { Unavailable } from "../parts/Unavailable.tsx";

/**
 * A component that is loaded when it is first shown. Where it cannot be had (no network, or a newer site has taken the place
 * of its file) the reader is told, where `lazy` alone would wait for ever.
 */
export function lazily<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Unavailable })));
}
