import type { ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import type { Finding } from "./findings.ts";

const words = texts.findings;

/** What the feeds say of a vulnerability. */
export function FindingDetails({ finding: { vulnerability } }: { readonly finding: Finding }) {
  const { Description, Aliases, Link, Metadata } = vulnerability;
  const { Score: score, Vectors: vector } = Metadata.NVD.CVSSv3;
  const links = Link.split(/\s+/).filter((link) => /^https?:\/\//.test(link));
  return (
    <div className="details">
      <p>{Description || words.noDescription}</p>
      <dl className="facts">
        {Aliases.length > 0 && <Fact name={words.aliases}>{Aliases.join(", ")}</Fact>}
        {vector !== "" && (
          <Fact name={words.vector}>
            {score} <code>{vector}</code>
          </Fact>
        )}
        {Metadata.UpdatedBy !== "" && <Fact name={words.reportedBy}>{Metadata.UpdatedBy}</Fact>}
        {links.length > 0 && (
          <Fact name={words.links}>
            {links.map((link) => (
              <a key={link} href={link} rel="noreferrer" target="_blank">
                {link}
              </a>
            ))}
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
