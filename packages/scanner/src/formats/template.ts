/**
 * Templates of users, in Mustache without partials: they choose and order what a report says, and can do nothing else.
 *
 * @see https://mustache.github.io/mustache.5.html
 */
import { ScanError } from "@plimsoll/core";
import Mustache from "mustache";
import type { FindingsStamp } from "./findings-stamp.ts";
import { htmlText } from "./html-text.ts";
import type { MatchedImage } from "./reported-image.ts";
import { templateData } from "./template-data.ts";

/** Longer templates are refused. */
const maxTemplateLength = 1_048_576;

/** What a document made by a template says of its making, and the template. */
export interface TemplateStamp extends FindingsStamp {
  /** In Mustache: `{{name}}` is escaped for HTML, `{{{name}}}` is not. */
  readonly template: string;
}

/**
 * What a template makes of an image: {@link TemplateData} says what it can show. Templates cannot run code or read files, and a name that
 * is not in the data shows nothing.
 *
 * @throws ScanError `malformed_template`
 * @example
 * declare const report: ScanReport;
 * const template = "{{#findings}}{{id}} in {{package}}\n{{/findings}}";
 * fromTemplate(report, { toolVersion: "1.0.0", createdAt: Date.now(), template });
 */
export function fromTemplate(image: MatchedImage, { template, ...stamp }: TemplateStamp): string {
  checkTemplate(template, "template");
  return Mustache.render(
    template,
    inert(templateData(image, stamp)),
    {},
    { escape: (value) => htmlText(String(value)) },
  );
}

/**
 * Checks a template; returns what is wrong with it.
 *
 * @param name of its file, for the message
 * @throws ScanError `malformed_template`
 * @example
 * checkTemplate("{{#findings}}{{id}}{{/findings}}", "ids.mustache");
 */
export function checkTemplate(template: string, name: string): void {
  if (template.length > maxTemplateLength)
    throw new ScanError("malformed_template", `${name}: expected at most ${maxTemplateLength} characters`);
  try {
    const tokens = Mustache.parse(template);
    if (hasPartial(tokens)) throw new Error("partials ({{> name}}) are not supported: a template reads no other file");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ScanError("malformed_template", `${name}: ${why}`, { cause: error });
  }
}

/** A token of Mustache is an array of its kind, its name, its place, and the tokens inside it. */
function hasPartial(tokens: readonly unknown[]): boolean {
  return tokens.some((token) => {
    if (!Array.isArray(token)) return false;
    const [kind, , , , inside] = token;
    return kind === ">" || (Array.isArray(inside) && hasPartial(inside));
  });
}

/**
 * The same data without prototypes: Mustache calls the functions that it finds, and here it finds none by any name, not even `constructor`.
 * A list or an object in the place of a text shows nothing.
 */
function inert(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copy = Array.isArray(value) ? value.map(inert) : mapMembers(value);
  Object.setPrototypeOf(copy, null);
  Object.defineProperty(copy, Symbol.toPrimitive, { value: () => "" });
  return copy;
}

function mapMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inert(member)]));
}
