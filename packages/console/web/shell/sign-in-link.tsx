import { useLocation, useSearch } from "wouter";
import { texts } from "../texts/texts.ts";

/** Leads to the page where people sign in, and back here; or in a tab of its own, where this page has what must not be lost. */
export function SignInLink({ isElsewhere = false }: { readonly isElsewhere?: boolean }) {
  const [path] = useLocation();
  const search = useSearch();
  const next = search === "" ? path : `${path}?${search}`;
  return (
    <a href={`/signin?${new URLSearchParams({ next })}`} target={isElsewhere ? "_blank" : undefined}>
      {texts.shell.signIn}
    </a>
  );
}
