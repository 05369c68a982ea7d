import type { ReactNode } from "react";

interface Props {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Whether the name stays on one line: an id. */
  readonly isUnbroken?: boolean;
  /** What names the thing whose details are shown. */
  readonly children: ReactNode;
}

/** A button that shows the details of a thing, and hides them again. */
export function Disclosure({ isOpen, onToggle, isUnbroken = false, children }: Props) {
  return (
    <button
      type="button"
      className={`disclosure ${isUnbroken ? "unbroken" : ""}`}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {children}
    </button>
  );
}
