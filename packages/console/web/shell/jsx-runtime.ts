/**
 * React's runtime for the elements of the console, which shows the characters that change the direction of text as marks. Names, layers,
 * descriptions and advisories come from others: a single U+202E would show what follows in reverse (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing).
 * The build uses it in place of `react/jsx-runtime`; inputs keep what was typed, since values are not children.
 */
import { jsx as element, jsxs as elements, Fragment } from "react/jsx-runtime";

const controls = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text with its direction controls as marks, such as `[U+202E]`. */
function markControls(text: string): string {
  return text.replace(controls, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);
}

/** The attributes that browsers show or read out. */
const shownAttributes = ["title", "aria-label", "placeholder", "alt"] as const;

type Properties = Readonly<Record<string, unknown>>;

/** Of elements and fragments. Components get what they are given, because their own elements come here, too. */
function shown(type: unknown, given: Properties): Properties {
  if (typeof type !== "string" && type !== Fragment) return given;
  const marked: Record<string, unknown> = { ...given };
  for (const name of shownAttributes) if (typeof given[name] === "string") marked[name] = markControls(given[name]);
  if (given.children !== undefined) marked.children = childrenOf(given.children);
  return marked;
}

function childrenOf(children: unknown): unknown {
  if (typeof children === "string") return markControls(children);
  return Array.isArray(children) ? children.map(childrenOf) : children;
}

/** An element with at most one child. */
export const jsx: typeof element = (type, properties, key) => element(type, shown(type, properties as Properties), key);

/** An element with several children. */
export const jsxs: typeof elements = (type, properties, key) =>
  elements(type, shown(type, properties as Properties), key);

export { Fragment };
