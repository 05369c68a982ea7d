/** Renders JSX to HTML: components without state are functions from their properties to a text. */
import { htmlText } from "../../packages/scanner/src/formats/html-text.ts";

/** HTML, as opposed to text that must be escaped. */
export class Html {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Child = Html | string | number | boolean | null | undefined | readonly Child[];

type Properties = Readonly<Record<string, unknown>> & { readonly children?: Child };

const names: Readonly<Record<string, string>> = {
  className: "class",
  autoComplete: "autocomplete",
  colSpan: "colspan",
};

const withoutEnd = new Set(["input", "br"]);

/** An element, or the result of a component. */
export function jsx(type: string | ((properties: Properties) => Child), properties: Properties): Html {
  if (typeof type === "function") return new Html(htmlOf(type(properties)));
  const { children, ...attributes } = properties;
  const start = `<${type}${Object.entries(attributes).map(attribute).join("")}>`;
  return new Html(withoutEnd.has(type) ? start : `${start}${htmlOf(children)}</${type}>`);
}

/** The same, with several children. */
export const jsxs = jsx;

/** Children without an element around them. */
export const Fragment = ({ children }: Properties): Child => children;

/** The HTML of a component's result. */
export function htmlOf(child: Child): string {
  if (child instanceof Html) return child.html;
  if (Array.isArray(child)) return child.map(htmlOf).join("");
  if (child === undefined || child === null || typeof child === "boolean") return "";
  return htmlText(String(child));
}

function attribute([name, value]: readonly [string, unknown]): string {
  const isSaid = name.startsWith("aria-"); // true and false are words there
  if (value === undefined || typeof value === "function" || (value === false && !isSaid)) return "";
  const shown = names[name] ?? name;
  return value === true && !isSaid ? ` ${shown}` : ` ${shown}="${htmlText(String(value))}"`;
}
