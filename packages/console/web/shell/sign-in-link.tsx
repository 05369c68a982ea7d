import { useLocation } from "wouter";
import { useQuery } from "../shared/search-param.ts";
import { texts } from "../texts/texts.ts";

interface Props {
  readonly isElsewhere?: boolean;
  /** The address to open after sign-in; absent: the current page. */
  readonly onTo?: string | undefined;
  readonly text?: string;
}

/** A link to the sign-in page, which leads back here or to another page. */
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
