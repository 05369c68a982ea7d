/**
 * Templates of users, in Mustache without partials: they select and arrange the data of a report and can do nothing else.
 *
 * @see https://mustache.github.io/mustache.5.html
 */
import { ScanError } from "@plimsoll/core";
import Mustache from "mustache";
import { htmlText } from "./html-text.ts";
import type { FindingsStamp, MatchedImage } from "./reported-image.ts";
import { templateData } from "./template-data.ts";

/** Longer templates are rejected. */
const maxTemplateLength = 1_048_576;

/** Metadata of a document that is made from a template, and the template. */
export interface TemplateStamp extends FindingsStamp {
  /** In Mustache: `{{name}}` is escaped for HTML, `{{{name}}}` is not. */
  readonly template: string;
}

/**
 * Renders a template with the data of an image, {@link TemplateData}. Templates cannot run code or read files, and a name that is not in
 * the data shows nothing.
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
 * Checks that a template is valid.
 *
 * @param name the name of its file, for the message
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

/** A token of Mustache is an array: its kind, its name, its start and end, and the tokens that it contains. */
function hasPartial(tokens: readonly unknown[]): boolean {
  return tokens.some((token) => {
    if (!Array.isArray(token)) return false;
    const [kind, , , , nested] = token;
    return kind === ">" || (Array.isArray(nested) && hasPartial(nested));
  });
}

/**
 * Copies data without prototypes: Mustache calls the functions that it finds, and here no name, not even `constructor`, leads to one.
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
