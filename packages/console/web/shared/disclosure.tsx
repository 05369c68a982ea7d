import type { ReactNode } from "react";

interface Props {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** What names the thing whose details are shown. */
  readonly children: ReactNode;
}

/** A button that shows the details of a thing, and hides them again. */
export function Disclosure({ isOpen, onToggle, children }: Props) {
  return (
    <button type="button" className="disclosure" aria-expanded={isOpen} onClick={onToggle}>
      {children}
    </button>
  );
}
