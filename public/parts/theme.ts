import { computed, effect, signal } from "@preact/signals";
import { withStorage } from "./storage.ts";

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** static/theme.js reads it too. */
const STORAGE_KEY = "rugwatch-theme";

export const theme = signal<Theme>("system");

const isSystemDark = signal(false);

/** Charts redraw when it changes. */
export const shownTheme = computed(() => {
  if (theme.value !== "system") return theme.value;
  return isSystemDark.value ? "dark" : "light";
});

export function followTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  isSystemDark.value = system.matches;
  system.addEventListener("change", () => (isSystemDark.value = system.matches));
  const stored = withStorage((storage) => storage.getItem(STORAGE_KEY));
  theme.value = THEMES.find((name) => name === stored) ?? "system";
  effect(() => {
    document.documentElement.dataset["theme"] = shownTheme.value;
  });
  effect(() => {
    const chosen = theme.value;
    withStorage((storage) =>
      chosen === "system" ? storage.removeItem(STORAGE_KEY) : storage.setItem(STORAGE_KEY, chosen),
    );
  });
}
