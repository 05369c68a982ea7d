import type { Json } from "@plimsoll/core/report";
import { webhookSecretPrefix } from "@plimsoll/outbound";
import { randomToken, type Sealer } from "../crypto/secrets.ts";
import { compilePatternOfStart } from "../values/patterns.ts";
import type { MethodConfig } from "./notification-methods.ts";
import type { RepositoryEvent } from "./queries/notifications.ts";

/** The severities; `level` is an index in this list. */
const severities = ["Critical", "High", "Medium", "Low", "Negligible", "Unknown"];

type Members = { readonly [name: string]: Json | undefined };

/**
 * Whether an event matches the filters of a notification of its kind: vulnerabilities of at least a severity, and builds of a git
 * reference whose beginning matches an expression. A build without a reference never matches, nor does an invalid expression.
 */
export function matchesEventConfig(event: RepositoryEvent, config: MethodConfig, members: Members): boolean {
  if (event === "vulnerability_found") return hasSeverity(config.level, members);
  const pattern = config["ref-regex"];
  return !event.startsWith("build_") || typeof pattern !== "string" || pattern === "" || hasReference(pattern, members);
}

function hasSeverity(level: unknown, { vulnerability }: Members): boolean {
  if (level === undefined || level === null) return true;
  const { priority } = (vulnerability ?? {}) as Members;
  const index = severities.indexOf(String(priority));
  return (index === -1 ? severities.length - 1 : index) <= Number(level);
}

function hasReference(pattern: string, { trigger_metadata }: Members): boolean {
  const { ref } = (trigger_metadata ?? {}) as Members;
  if (typeof ref !== "string") return false;
  try {
    return compilePatternOfStart("ref-regex", pattern)(ref);
  } catch {
    return false;
  }
}

/**
 * The configuration of a notification as it is stored: encrypted, because addresses of receivers often contain a secret, so that neither the database
 * nor a backup shows them.
 */
export function sealConfig(secrets: Sealer, config: Readonly<Record<string, unknown>>): string {
  return secrets.seal(JSON.stringify(config));
}

/**
 * Reads a stored configuration; one that was stored before these were encrypted is JSON.
 * @returns undefined for one that was encrypted with another key
 */
export function openConfig(secrets: Sealer, stored: string): Readonly<Record<string, unknown>> | undefined {
  const text = stored.startsWith("{") ? stored : secrets.open(stored);
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
}

/** A new secret of a webhook. */
export function newWebhookSecret(): string {
  return `${webhookSecretPrefix}${randomToken("base64")}`;
}
