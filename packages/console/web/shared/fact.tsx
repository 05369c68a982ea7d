import type { ReactNode } from "react";

/** A name with its value in a list of facts. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

interface Props {
  readonly name: string;
  /** Texts that are not http or https addresses are left out. */
  readonly links: readonly string[];
}

/** The web links of a feed, as a fact. */
export function WebLinks({ name, links }: Props) {
  const shown = links.filter((link) => /^https?:\/\//.test(link));
  if (shown.length === 0) return undefined;
  return (
    <Fact name={name}>
      {shown.map((link) => (
        <a key={link} href={link} rel="noreferrer" target="_blank">
          {link}
        </a>
      ))}
    </Fact>
  );
}
