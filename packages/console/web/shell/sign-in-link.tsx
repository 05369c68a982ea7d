import { useLocation, useSearch } from "wouter";
import { texts } from "../texts/texts.ts";

/** Leads to the page where people sign in, and back here. */
export function SignInLink() {
  const [path] = useLocation();
  const search = useSearch();
  const next = search === "" ? path : `${path}?${search}`;
  return <a href={`/signin?${new URLSearchParams({ next })}`}>{texts.shell.signIn}</a>;
}
