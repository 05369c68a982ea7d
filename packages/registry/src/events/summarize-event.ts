import type { Json } from "@plimsoll/core/report";
import type { RepositoryEvent } from "./queries/notifications.ts";

/** The severity of an event. */
export type EventLevel = "info" | "success" | "warning" | "error";

/** A summary of an event. */
export interface EventSummary {
  readonly text: string;
  readonly level: EventLevel;
}

type Members = { readonly [name: string]: Json | undefined };

/** Summarizes an event in one sentence, without line breaks. That of a test begins with `Test:`. */
export function summarizeEvent(event: RepositoryEvent, members: Members): EventSummary {
  const { text, level } = sentenceOf(event, members);
  const oneLine = text.replace(/\p{Cc}+/gu, " ");
  return { text: members.test === true ? `Test: ${oneLine}` : oneLine, level };
}

function sentenceOf(event: RepositoryEvent, members: Members): EventSummary {
  const repository = textOf(members.repository);
  const build = `Build ${textOf(members.build_name ?? members.build_id)} of ${repository}`;
  switch (event) {
    case "repo_push":
      return { text: `${repository} was pushed: ${textOf(members.updated_tags)}`, level: "info" };
    case "build_queued":
      return { text: `${build} waits`, level: "info" };
    case "build_start":
      return { text: `${build} has started`, level: "info" };
    case "build_success":
      return { text: `${build} has succeeded`, level: "success" };
    case "build_failure":
      return { text: `${build} has failed: ${textOf(members.error_message)}`, level: "error" };
    case "build_cancelled":
      return { text: `${build} was cancelled`, level: "warning" };
    case "vulnerability_found":
      return vulnerabilitySentence(repository, members);
    case "repo_mirror_sync_started":
      return { text: `${repository} is being mirrored: ${textOf(members.message)}`, level: "info" };
    case "repo_mirror_sync_success":
      return { text: `${repository} was mirrored: ${textOf(members.message)}`, level: "success" };
    case "repo_mirror_sync_failed":
      return { text: `${repository} could not be mirrored: ${textOf(members.message)}`, level: "error" };
    case "repo_image_expiry":
      return {
        text: `${repository}: ${textOf(members.tags)} will expire in ${textOf(members.expiring_in)}`,
        level: "warning",
      };
    case "repo_pull_refused":
      return { text: `A pull of ${repository} was refused: ${textOf(members.message)}`, level: "warning" };
    case "quota_warning":
      return { text: quotaSentence(members), level: "warning" };
    case "quota_error":
      return { text: `${quotaSentence(members)}: pushes that need more room are refused`, level: "error" };
  }
}

function quotaSentence(members: Members): string {
  const { namespace, usage_bytes_formatted: used, limit_bytes_formatted: limit } = members;
  return `${textOf(namespace)} uses ${textOf(used)} of ${textOf(limit)}`;
}

function vulnerabilitySentence(repository: string, { vulnerability, tags }: Members): EventSummary {
  const { id, priority } = (vulnerability ?? {}) as Members;
  const level = priority === "Critical" || priority === "High" ? "error" : "warning";
  return { text: `${textOf(priority)} vulnerability ${textOf(id)} in ${repository}: ${textOf(tags)}`, level };
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "(none)";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
