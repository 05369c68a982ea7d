import type { ResultOf } from "../api/operation.ts";

/** The owner of a log: a repository (`NAMESPACE/NAME`), an organization, the visitor, or the whole registry. */
export type LogOwner =
  | { readonly kind: "repository"; readonly name: string }
  | { readonly kind: "organization"; readonly name: string }
  | { readonly kind: "user" }
  | { readonly kind: "registry" };

/** An entry of a log. */
export type LogEntry = ResultOf<"GET /superuser/logs">["logs"][number];

/** The operations on an owner's log, and their parameters. Each operation uses the parameter that its path contains. */
export function logCalls(owner: LogOwner) {
  const { kind } = owner;
  const name = "name" in owner ? owner.name : "";
  const [isRepository, isOrganization, isUser] = [kind === "repository", kind === "organization", kind === "user"];
  const list = isOrganization ? "GET /organization/{orgname}/logs" : isUser ? "GET /user/logs" : "GET /superuser/logs";
  return {
    list: isRepository ? "GET /repository/{repository}/logs" : list,
    export: isRepository
      ? "POST /repository/{repository}/exportlogs"
      : isOrganization
        ? "POST /organization/{orgname}/exportlogs"
        : "POST /user/exportlogs",
    params: { repository: name, orgname: name },
    /** Whether the log can be filtered by account. */
    hasPerformer: isOrganization || isUser,
    /** Whether it can be exported. */
    hasExport: kind !== "registry",
  } as const;
}
