import { Link } from "wouter";
import { texts } from "../texts/texts.ts";
import { type FoundThing, nameOf, pathOf } from "./found-names.ts";

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
