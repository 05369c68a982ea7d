import { type ReactNode, useState } from "react";

interface Props {
  readonly label: string;
  readonly children: ReactNode;
}

/** A part of a page that is asked for only when it is opened. */
export function OnDemand({ label, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && children}
    </details>
  );
}
