import type { conductSearch } from "../api/generated/search.ts";
import type { ResultOf } from "../api/operation.ts";
import { namespacePath, repositoryPath } from "../places.ts";

/** One thing that a search found. */
export type FoundThing = ResultOf<typeof conductSearch>["results"][number];

/** The name by which a person knows it; of its kind, it is the only one. */
export function nameOf(result: FoundThing): string {
  if ("namespace" in result) return `${result.namespace.name}/${result.name}`;
  return "organization" in result ? `${result.organization.name}/${result.name}` : result.name;
}

/** Where it is. */
export function pathOf(result: FoundThing): string {
  if ("namespace" in result) return repositoryPath(result.namespace.name, result.name);
  if ("organization" in result) return namespacePath(result.organization.name);
  return namespacePath(result.name.split("+")[0] ?? result.name); // robots belong to a namespace
}
