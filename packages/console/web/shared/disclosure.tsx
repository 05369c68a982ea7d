import type { ReactNode } from "react";

interface Props {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Whether the name stays on one line, for ids. */
  readonly isUnbroken?: boolean;
  /** The name of the item whose details are shown. */
  readonly children: ReactNode;
}

/** A button that shows and hides the details of an item. */
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
