import { useState } from "react";

/** The theme of the console: light, dark, or that of the system. */
export type Theme = "system" | "light" | "dark";

const key = "plimsoll.theme";

/** The chosen theme, kept in the browser's storage. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const change = (chosen: Theme) => {
    localStorage.setItem(key, chosen);
    showTheme(chosen);
    setTheme(chosen);
  };
  return [theme, change];
}

/** Applies a theme; by default, the stored one. */
export function showTheme(theme = storedTheme()): void {
  document.documentElement.dataset.theme = theme;
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(key);
  return stored === "light" || stored === "dark" ? stored : "system";
}
