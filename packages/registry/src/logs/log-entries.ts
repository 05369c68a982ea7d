import { type Static, Type } from "typebox";
import { Avatar, avatarOf } from "../values/avatar.ts";
import { formatDate } from "../values/dates.ts";
import type { LogCount, LogRow } from "./queries/usage-log.ts";

const Performer = Type.Object({
  kind: Type.String({ description: "user; anonymous: no account, or a job of the registry" }),
  name: Type.String({ description: "Empty: no account" }),
  is_robot: Type.Boolean(),
  avatar: Avatar,
});

const Namespace = Type.Object({
  kind: Type.String({ description: "user or org; registry: the entry is about no namespace" }),
  name: Type.String(),
  avatar: Avatar,
});

/** An entry of the usage log, as clients see it. */
export const LogEntry = Type.Object({
  kind: Type.String(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  ip: Type.String({ description: "Empty: a job of the registry" }),
  datetime: Type.String(),
  performer: Performer,
  namespace: Namespace,
});
export type LogEntry = Static<typeof LogEntry>;

const Aggregated = Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer(), datetime: Type.String() }));

/** A page of the usage log. */
export const LogPage = Type.Object({
  start_time: Type.String(),
  end_time: Type.String(),
  logs: Type.Array(LogEntry),
  aggregated: Type.Optional(
    Type.Unsafe<Static<typeof Aggregated>>({
      ...Aggregated,
      description: "Only where the query asks for it, on the first page, and for at most 31 days",
    }),
  ),
  next_page: Type.Optional(Type.String()),
});

export type LogPage = Static<typeof LogPage>;

/** An entry in the reference profile. */
const ReferenceLogEntry = Type.Object({
  ...LogEntry.properties,
  ip: Type.Union([Type.String(), Type.Null()]),
  performer: Type.Optional(Performer),
  namespace: Type.Optional(Namespace),
});

/** A page of the usage log in the reference profile. */
export const ReferenceLogPage = Type.Object({ ...LogPage.properties, logs: Type.Array(ReferenceLogEntry) });

/** A page in the form of the reference: what an entry does not have is null or absent. */
export function referenceLogPage({ logs, ...page }: LogPage): Static<typeof ReferenceLogPage> {
  return { ...page, logs: logs.map(referenceLogEntry) };
}

function referenceLogEntry({ ip, performer, namespace, ...entry }: LogEntry): Static<typeof ReferenceLogEntry> {
  return {
    ...entry,
    ip: ip === "" ? null : ip,
    performer: performer !== noAccount ? performer : undefined,
    namespace: namespace !== wholeRegistry ? namespace : undefined,
  };
}

/** How many entries each kind has on each day. */
export const AggregatedLogs = Type.Object({ aggregated: Aggregated });

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

/** A day's count of one kind as clients see it. */
export function logCountView({ kind, count, day }: LogCount): Static<typeof AggregatedLogs>["aggregated"][number] {
  return { kind, count: Number(count), datetime: formatDate(Number(day) * 86_400_000) };
}

const noAccount: LogEntry["performer"] = {
  kind: "anonymous",
  name: "",
  is_robot: false,
  avatar: avatarOf("user", ""),
};

/** The namespace of entries about the whole registry. */
const wholeRegistry: LogEntry["namespace"] = { kind: "registry", name: "", avatar: avatarOf("org", "") };

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
