import type { Json } from "@plimsoll/core";

type JsonObject = { readonly [name: string]: Json };

/**
 * Renders the body template of a webhook. A text that is exactly one placeholder becomes the value of the member, or null if there is
 * none. A placeholder within a text becomes the value as text: `(none)` if there is none, and lists with commas.
 * @param template JSON that was checked when it was stored
 * @example
 * renderTemplate('{"text":"${name} has ${updated_tags}"}', { name: "app", updated_tags: ["1", "2"] }); // {"text":"app has 1, 2"}
 */
export function renderTemplate(template: string, event: JsonObject): string {
  return JSON.stringify(filled(JSON.parse(template) as Json, event));
}

function filled(value: Json, event: JsonObject): Json {
  if (typeof value === "string") return filledText(value, event);
  if (Array.isArray(value)) return value.map((each: Json) => filled(each, event));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each as Json, event)]));
}

function filledText(text: string, event: JsonObject): Json {
  const [whole, path] = /^\$\{([^${}]*)\}$/.exec(text) ?? [];
  if (whole !== undefined && path !== undefined) return valueAt(event, path) ?? null;
  return text.replace(/\$\{([^${}]*)\}/g, (_, place: string) => textOf(valueAt(event, place)));
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
