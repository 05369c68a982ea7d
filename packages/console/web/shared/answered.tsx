import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";

interface Props<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "isError" | "error"> & { readonly refetch: () => unknown };
  readonly children: (data: Data) => ReactNode;
}

/** Shows the answer of a query; before that, a placeholder or the error. */
export function Answered<Data>({ query, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} retry={() => query.refetch()} />;
  return <div className="skeleton" aria-busy="true" />;
}
