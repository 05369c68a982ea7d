import { type ReactNode, useId } from "react";

interface Props {
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly about?: string;
  readonly children: ReactNode;
}

/** A part of a page with a heading that names it. */
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
