import { useLocation } from "wouter";
import { useQuery } from "../shared/query.ts";
import { texts } from "../texts/texts.ts";

interface Props {
  readonly isElsewhere?: boolean;
  /** The address of the page that is shown then; this one where absent. */
  readonly onTo?: string | undefined;
  readonly text?: string;
}

/** Leads to the page where people sign in, and back here or on to another page; or in a tab of its own, where this page has what must not be lost. */
export function SignInLink({ isElsewhere = false, onTo, text = texts.shell.signIn }: Props) {
  const [path] = useLocation();
  const query = useQuery();
  const here = query === "" ? path : `${path}?${query}`;
  return (
    <a href={`/signin?${new URLSearchParams({ next: onTo ?? here })}`} target={isElsewhere ? "_blank" : undefined}>
      {text}
    </a>
  );
}
