import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";

interface Props<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "isError" | "error"> & { readonly refetch: () => unknown };
  readonly children: (data: Data) => ReactNode;
}

/** Shows the answer of a query; before that, a placeholder or the error. An answer that cannot be fetched again says so above it. */
export function Answered<Data>({ query, children }: Props<Data>) {
  const failure = query.isError && <Failure error={query.error} retry={() => query.refetch()} />;
  if (query.data !== undefined)
    return (
      <>
        {failure}
        {children(query.data)}
      </>
    );
  return failure || <div className="skeleton" aria-busy="true" />;
}
