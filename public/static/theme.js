// Sets the theme before anything is painted: the one chosen here (parts/theme.ts), or else the system's.
var theme = null;
try {
  theme = localStorage.getItem("rugwatch-theme");
} catch {
  // Storage is forbidden here.
}
if (theme !== "light" && theme !== "dark")
  theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
document.documentElement.dataset.theme = theme;
