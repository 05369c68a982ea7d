import type { Json } from "./json-value.ts";

/** An object of a JSON document. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a JSON value is an object. */
export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** A string without surrounding blanks; empty for any other value. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

/** The objects among the items of an array; none for any other value. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

/** A member of a value; undefined where the value is not an object, or has no member of the name. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
