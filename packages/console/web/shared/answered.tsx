import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";

interface Props<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "isError" | "error"> & { readonly refetch: () => unknown };
  readonly children: (data: Data) => ReactNode;
}

/** Shows an answer once it is there; until then a placeholder, or what went wrong. */
export function Answered<Data>({ query, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} retry={() => query.refetch()} />;
  return <div className="skeleton" aria-busy="true" />;
}
