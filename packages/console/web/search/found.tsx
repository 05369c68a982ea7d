import { Link } from "wouter";
import { texts } from "../texts/texts.ts";
import { type FoundThing, nameOf, pathOf } from "./found-names.ts";

/** A link to a result of a search, and its kind. */
export function Found({ result }: { readonly result: FoundThing }) {
  const { kinds } = texts.search;
  return (
    <>
      <Link href={pathOf(result)}>{nameOf(result)}</Link>{" "}
      <small>{kinds[result.kind as keyof typeof kinds] ?? result.kind}</small>
    </>
  );
}
