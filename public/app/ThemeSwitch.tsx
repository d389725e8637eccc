import { theme, THEMES, type Theme } from "./theme.ts";

const NAMES: Record<Theme, string> = { system: "System theme", light: "Light theme", dark: "Dark theme" };

/** One button that goes through the themes; it says which one there is. */
export function ThemeSwitch() {
  const chosen = theme.value;
  const next = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length] ?? "system";
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`${NAMES[chosen]}, change to ${NAMES[next].toLowerCase()}`}
      title={NAMES[chosen]}
      onClick={() => (theme.value = next)}
    >
      <ThemeIcon theme={chosen} />
    </button>
  );
}

function ThemeIcon({ theme: shown }: { theme: Theme }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
    >
      {shown === "system" && (
        <>
          <circle cx="10" cy="10" r="7" />
          <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
        </>
      )}
      {shown === "light" && (
        <>
          <circle cx="10" cy="10" r="3.4" />
          <path d="M10 1.8v2.4M10 15.8v2.4M1.8 10h2.4M15.8 10h2.4M4.2 4.2l1.7 1.7M14.1 14.1l1.7 1.7M4.2 15.8l1.7-1.7M14.1 5.9l1.7-1.7" />
        </>
      )}
      {shown === "dark" && <path d="M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7z" />}
    </svg>
  );
}
