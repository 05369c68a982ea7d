import { useOperation } from "../api/use-operation.ts";

/** Messages of the operators to all users. */
export function GlobalMessages() {
  const { data } = useOperation("GET /messages", { query: {} }, { staleTime: 300_000 });
  return data?.messages.map(({ uuid, content, severity }) => (
    <p key={uuid} className={severity === "error" ? "failure" : "notice"}>
      {content}
    </p>
  ));
}
