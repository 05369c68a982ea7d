import type { Json } from "@plimsoll/core/report";
import { DeliveryFailed } from "./delivery-failed.ts";

type JsonObject = { readonly [name: string]: Json | undefined };

/** The most characters of a template. */
export const maxTemplateLength = 16_384;

/** The most characters of the texts of a rendered template: each placeholder may become a long list. */
const maxRenderedLength = 1024 * 1024;

/** How deep the values of a template are nested at most. */
export const maxTemplateDepth = 20;

/**
 * Renders the body template of a webhook. A text that is exactly one placeholder becomes the value of the member, or null if there is
 * none. A placeholder within a text becomes the value as text: `(none)` if there is none, and lists with commas.
 * @param template JSON that was checked when it was stored
 * @throws DeliveryFailed if the result is too large, or the template is nested too deep
 * @example
 * renderTemplate('{"text":"${name} has ${updated_tags}"}', { name: "app", updated_tags: ["1", "2"] }); // {"text":"app has 1, 2"}
 */
export function renderTemplate(template: string, event: JsonObject): string {
  const rendering = { event, left: maxRenderedLength };
  return JSON.stringify(filled(JSON.parse(template) as Json, rendering, 0));
}

interface Rendering {
  readonly event: JsonObject;
  /** How many characters may still be added. */
  left: number;
}

function filled(value: Json, rendering: Rendering, depth: number): Json {
  if (depth > maxTemplateDepth)
    throw new DeliveryFailed(`the template is nested deeper than ${maxTemplateDepth} levels`);
  if (typeof value === "string") return filledText(value, rendering);
  if (Array.isArray(value)) return value.map((each: Json) => filled(each, rendering, depth + 1));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, filled(each as Json, rendering, depth + 1)]),
  );
}

function filledText(text: string, rendering: Rendering): Json {
  const { event } = rendering;
  const [whole, path] = /^\$\{([^${}]*)\}$/.exec(text) ?? [];
  if (whole !== undefined && path !== undefined) {
    const value = valueAt(event, path) ?? null;
    spend(rendering, typeof value === "object" ? JSON.stringify(value) : String(value));
    return value;
  }
  return text.replace(/\$\{([^${}]*)\}/g, (_, place: string) => spend(rendering, textOf(valueAt(event, place))));
}

function spend(rendering: Rendering, added: string): string {
  rendering.left -= added.length;
  if (rendering.left >= 0) return added;
  throw new DeliveryFailed(
    `the template makes a body of more than ${maxRenderedLength} characters: let it name long members less often`,
  );
}

/** The value at `member.member[index]`. */
function valueAt(event: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = event;
  for (const [, step = ""] of path.matchAll(/(\w+)/g)) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as JsonObject)[step];
  }
  return value;
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "(none)";
  if (Array.isArray(value)) return value.map((each: Json) => textOf(each)).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
