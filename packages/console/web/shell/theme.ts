import { useEffect, useState } from "react";

/** How the console looks: light, dark, or as the system says. */
export type Theme = "system" | "light" | "dark";

const key = "plimsoll.theme";

/** The theme that this browser chose, kept in its storage. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(key, theme);
  }, [theme]);
  return [theme, setTheme];
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(key);
  return stored === "light" || stored === "dark" ? stored : "system";
}
