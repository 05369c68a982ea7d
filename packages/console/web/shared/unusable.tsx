import { AlertIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";

interface Props {
  readonly children: ReactNode;
  /** Why the registry cannot use the stored pattern, and what it does instead; undefined for a pattern that it uses. */
  readonly problem: string | undefined;
}

/** The text of a policy, with the reason why the registry cannot use its pattern. */
export function Unusable({ children, problem }: Props) {
  if (problem === undefined) return children;
  return (
    <>
      {children}
      <p className="failure">
        <AlertIcon /> {problem}
      </p>
    </>
  );
}
