import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import { vulnerabilityPath } from "../places.ts";
import { SignInLink } from "../shell/sign-in-link.tsx";
import { texts } from "../texts/texts.ts";

/** A link to the images that have a vulnerability. Only users may see them: anonymous visitors sign in first. */
export function AffectedLink({ id, text }: { readonly id: string; readonly text: string }) {
  const isAnonymous = useCurrentUser().data === null;
  const path = vulnerabilityPath(id);
  if (isAnonymous) return <SignInLink onTo={path} text={texts.vulnerability.signInToSee(id)} />;
  return <Link href={path}>{text}</Link>;
}
