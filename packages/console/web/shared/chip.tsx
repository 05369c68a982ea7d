import type { ReactNode } from "react";
import { useSearchParam } from "./search-param.ts";

interface Props {
  /** The parameter of the address that the filter sets. */
  readonly param: string;
  readonly value: string;
  readonly children: ReactNode;
}

/** A filter that is on or off, kept in the address. A change leads back to the first page. */
export function Chip({ param, value, children }: Props) {
  const [current, set] = useSearchParam(param);
  const [, setPage] = useSearchParam("page");
  const isOn = current === value;
  const toggle = () => {
    setPage("");
    set(isOn ? "" : value);
  };
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={toggle}>
      {children}
    </button>
  );
}
