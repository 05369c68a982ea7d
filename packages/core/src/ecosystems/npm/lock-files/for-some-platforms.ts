import type { JsonObject } from "../../../model/json-object.ts";
import type { Json } from "../../../model/json-value.ts";

/**
 * Whether a package is not for Linux, or for some processors or C libraries only.
 * @see https://docs.npmjs.com/cli/v11/configuring-npm/package-json#os
 */
export function isForSomePlatforms({ os, cpu, libc }: JsonObject): boolean {
  const systems = textsOf(os);
  const excludes = systems.some((each) => each.startsWith("!"))
    ? systems.includes("!linux")
    : systems.length > 0 && !systems.includes("linux");
  return excludes || textsOf(cpu).length > 0 || textsOf(libc).length > 0;
}

/** A text, or the texts of a list. */
export function textsOf(value: Json | undefined): readonly string[] {
  const all: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [value ?? null];
  return all.filter((each) => typeof each === "string");
}
