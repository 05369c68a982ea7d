import type { LogRow } from "@plimsoll/registry/logs/queries/usage-log";
import { Avatar, avatarOf } from "@plimsoll/registry/values/avatar";
import { formatDate } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";

/** Who did what an entry says. */
export const Performer = Type.Object({
  kind: Type.String({ description: "user; anonymous: no account, or a job of the registry" }),
  name: Type.String({ description: "Empty: no account" }),
  is_robot: Type.Boolean(),
  avatar: Avatar,
});

/** What an entry is about. */
export const Namespace = Type.Object({
  kind: Type.String({ description: "user or org; registry: the entry is about no namespace" }),
  name: Type.String(),
  avatar: Avatar,
});

/** An entry of the usage log, as clients and files of exported logs have it. */
export const LogEntry = Type.Object({
  kind: Type.String(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  ip: Type.String({ description: "Empty: a job of the registry" }),
  datetime: Type.String(),
  performer: Performer,
  namespace: Namespace,
});
export type LogEntry = Static<typeof LogEntry>;

/** An entry as clients see it. Each member has the type that the contract gives it, also in entries of jobs. */
export function logEntryView(row: LogRow): LogEntry {
  return {
    kind: row.kind,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    ip: row.ip ?? "",
    datetime: formatDate(row.at),
    performer: performerOf(row),
    namespace: namespaceOf(row),
  };
}

/** The performer of entries of jobs, and of callers without an account. */
export const noAccount: LogEntry["performer"] = {
  kind: "anonymous",
  name: "",
  is_robot: false,
  avatar: avatarOf("user", ""),
};

/** The namespace of entries about the whole registry. */
export const wholeRegistry: LogEntry["namespace"] = { kind: "registry", name: "", avatar: avatarOf("org", "") };

function performerOf(row: LogRow): LogEntry["performer"] {
  const { performer_name: name, performer_email } = row;
  if (name === null) return noAccount;
  const isRobot = name.includes("+"); // names of users cannot contain it
  const avatar = avatarOf(isRobot ? "robot" : "user", name, performer_email);
  return { kind: "user", name, is_robot: isRobot, avatar };
}

function namespaceOf(row: LogRow): LogEntry["namespace"] {
  const { namespace_name: name, namespace_kind, namespace_email } = row;
  if (name === null) return deletedNamespaceOf(row);
  const kind = namespace_kind === "organization" ? "org" : "user";
  return { kind, name, avatar: avatarOf(kind, name, namespace_email) };
}

/** The deleted user or organization that an entry is about: only the entry still holds its name. */
function deletedNamespaceOf({ kind: event, metadata }: LogRow): LogEntry["namespace"] {
  const { namespace, username } = JSON.parse(metadata) as Readonly<Record<string, unknown>>;
  const [kind, name] = event.startsWith("user_") ? (["user", username] as const) : (["org", namespace] as const);
  const isAbout = event.startsWith("user_") || event.startsWith("org_");
  return isAbout && typeof name === "string" ? { kind, name, avatar: avatarOf(kind, name) } : wholeRegistry;
}
