import type { ResultOf } from "../api/operation.ts";
import { namespacePath, repositoryPath } from "../places.ts";

/** One result of a search. */
export type FoundThing = ResultOf<"GET /find/all">["results"][number];

/** The full name of a result, unique among results of its kind. */
export function nameOf(result: FoundThing): string {
  if ("namespace" in result) return `${result.namespace.name}/${result.name}`;
  return "organization" in result ? `${result.organization.name}/${result.name}` : result.name;
}

/** The address of a result. */
export function pathOf(result: FoundThing): string {
  if ("namespace" in result) return repositoryPath(result.namespace.name, result.name);
  if ("organization" in result) return namespacePath(result.organization.name);
  return namespacePath(result.name.split("+")[0] ?? result.name); // robots belong to a namespace
}
