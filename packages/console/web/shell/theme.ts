import { useState } from "react";

/** How the console looks: light, dark, or as the system says. */
export type Theme = "system" | "light" | "dark";

const key = "plimsoll.theme";

/** The theme that this browser chose, kept in its storage. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const change = (chosen: Theme) => {
    localStorage.setItem(key, chosen);
    showTheme(chosen);
    setTheme(chosen);
  };
  return [theme, change];
}

/** Shows a theme; the one that was chosen before where none is given. */
export function showTheme(theme = storedTheme()): void {
  document.documentElement.dataset.theme = theme;
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(key);
  return stored === "light" || stored === "dark" ? stored : "system";
}
