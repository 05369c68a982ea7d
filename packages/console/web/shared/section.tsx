import { type ReactNode, useId } from "react";

interface Props {
  readonly title: string;
  /** The purpose of the section, in a sentence. */
  readonly about?: string;
  readonly children: ReactNode;
}

/** A section of a page with its heading. */
export function Section({ title, about, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about !== undefined && <p>{about}</p>}
      {children}
    </section>
  );
}
