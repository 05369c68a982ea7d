import type { ReactNode } from "react";
import { useSearchParam } from "./search-param.ts";

interface Props {
  /** The parameter of the address that the filter sets. */
  readonly param: string;
  readonly value: string;
  readonly children: ReactNode;
}

/** A filter that is on or off, kept in the address. */
export function Chip({ param, value, children }: Props) {
  const [current, set] = useSearchParam(param);
  const isOn = current === value;
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={() => set(isOn ? "" : value)}>
      {children}
    </button>
  );
}
