import { hash } from "node:crypto";
import { remember } from "@plimsoll/core/internal/remember";
import type { RegistryOperation } from "../operation.ts";

/**
 * The entity tag of what an operation reads, without quotes. It changes only with the members that the operation declares as those of
 * its version. @returns undefined if it declares none
 */
export function versionTag(
  { versionMembers: names }: Pick<RegistryOperation, "versionMembers">,
  answer: unknown,
): string | undefined {
  return names === undefined ? undefined : tagOfText(JSON.stringify(membersOf(answer, names)));
}

function membersOf(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => membersOf(each, names));
  return names.map((name) => (value as Readonly<Record<string, unknown>> | null)?.[name] ?? null);
}

/** Cached for short texts, so that they are not hashed at each reading. */
const tagOfText = remember((text) => hash("sha256", text ?? "", "base64url").slice(0, 22));
