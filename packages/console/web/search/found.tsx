import { Link } from "wouter";
import type { conductSearch } from "../api/generated/search.ts";
import type { ResultOf } from "../api/operation.ts";
import { namespacePath, repositoryPath } from "../places.ts";
import { texts } from "../texts/texts.ts";

/** One thing that a search found. */
export type FoundThing = ResultOf<typeof conductSearch>["results"][number];

/** What it is, and a link to where it is. */
export function Found({ result }: { readonly result: FoundThing }) {
  const { kinds } = texts.search;
  return (
    <>
      <Link href={pathOf(result)}>{nameOf(result)}</Link>{" "}
      <small>{kinds[result.kind as keyof typeof kinds] ?? result.kind}</small>
    </>
  );
}

/** The name by which a person knows it; of its kind, it is the only one. */
export function nameOf(result: FoundThing): string {
  if ("namespace" in result) return `${result.namespace.name}/${result.name}`;
  return "organization" in result ? `${result.organization.name}/${result.name}` : result.name;
}

function pathOf(result: FoundThing): string {
  if ("namespace" in result) return repositoryPath(result.namespace.name, result.name);
  if ("organization" in result) return namespacePath(result.organization.name);
  return namespacePath(result.name.split("+")[0] ?? result.name); // robots belong to a namespace
}
