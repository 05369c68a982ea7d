import { Fact } from "./fact.tsx";

interface Props {
  readonly name: string;
  /** What is no address on the web is left out. */
  readonly links: readonly string[];
}

/** Addresses on the web that a feed gives, as a fact. */
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
