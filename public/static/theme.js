// The theme chosen here before, set before anything is painted. What is remembered, and its names: parts/theme.ts.
try {
  var theme = localStorage.getItem("rugwatch-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden here: the system's theme it is.
}
