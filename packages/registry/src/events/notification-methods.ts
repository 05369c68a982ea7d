import { findAccount, type ImageRepository } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import { invalidRequest } from "../errors.ts";
import { sendRepositoryCode } from "../mail/email-codes.ts";
import { noMailer } from "../ports.ts";
import { checkEmailAddress } from "../values/names.ts";
import { compilePattern } from "../values/patterns.ts";
import { type NotificationOwner, namespaceOf } from "./notification-owner.ts";
import { listContacts } from "./queries/deliveries.ts";
import { findRepositoryEmail, hasTeam, type RepositoryEmail, type RepositoryEvent } from "./queries/notifications.ts";
import { maxTemplateDepth, maxTemplateLength } from "./render-template.ts";

/** The methods of notifications. */
export const notificationMethods = ["webhook", "email", "slack", "teams", "quay_notification"] as const;

/** One of {@link notificationMethods}. */
export type NotificationMethod = (typeof notificationMethods)[number];

/** The configuration of a method: JSON. */
export type MethodConfig = Readonly<Record<string, unknown>>;

/** The names of addresses in messages, for the methods that have one. */
const urlNames: ReadonlyMap<NotificationMethod, string> = new Map([
  ["webhook", "webhook URL"],
  ["slack", "Slack Callback URL"],
  ["teams", "Teams Callback URL"],
]);

/** Checks the address of a configuration, which may take a request to another host. It runs before the transaction. @throws RegistryError */
export async function checkMethodAddress(
  context: CallContext,
  method: NotificationMethod,
  { url }: MethodConfig,
): Promise<void> {
  const name = urlNames.get(method);
  if (name === undefined) return;
  if (typeof url !== "string" || url === "") throw invalidRequest(`Missing ${name}`);
  await checkCallbackUrl(context, name, url);
}

/** Checks the rest of a configuration, with the database. @throws RegistryError `invalid_request` */
export async function checkMethodConfig(
  context: CallContext,
  owner: NotificationOwner,
  { method, config }: { readonly method: NotificationMethod; readonly config: MethodConfig },
): Promise<void> {
  switch (method) {
    case "webhook":
      return checkTemplate(config.template);
    case "email":
      return checkEmail(context, owner, config.email);
    case "quay_notification":
      return checkTarget(context, owner, config.target);
    case "slack":
    case "teams":
  }
}

function checkTemplate(template: unknown): void {
  if (template === undefined || template === null || template === "") return;
  if (typeof template !== "string") throw invalidRequest("template: expected a string with JSON");
  if (template.length > maxTemplateLength)
    throw invalidRequest(`template: expected at most ${maxTemplateLength} characters, found ${template.length}`);
  if (isDeeperThan(parseTemplate(template), maxTemplateDepth))
    throw invalidRequest(`template: expected at most ${maxTemplateDepth} levels of lists and objects`);
  // A placeholder ends at the next dollar, so that a template of many unclosed placeholders takes linear time.
  for (const [placeholder] of template.matchAll(/\$\{[^${}]*\}?/g)) {
    if (!/^\$\{\w+(?:\.\w+|\[\d+\])*\}$/.test(placeholder))
      throw invalidRequest(
        `template: ${placeholder.slice(0, 300)} is not a placeholder: expected the path of a member, such as \${name} or \${list[0].name}`,
      );
  }
}

function parseTemplate(template: string): unknown {
  try {
    return JSON.parse(template);
  } catch (cause) {
    throw invalidRequest(`template: is not JSON: ${cause instanceof Error ? cause.message : cause}`);
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1));
}

async function checkEmail(context: CallContext, owner: NotificationOwner, email: unknown): Promise<void> {
  if (owner.kind === "namespace") return checkContacts(context, owner.namespace.id, email);
  if (typeof email !== "string" || email === "") throw invalidRequest("Missing e-mail address");
  const found = await findRepositoryEmail(context, owner.repository, email);
  if (found?.confirmed) return;
  throw invalidRequest("The specified e-mail address is not authorized to receive notifications for this repository");
}

/** E-mail about a namespace is sent to whoever administers it when there is an event, and to nobody else. */
async function checkContacts({ db }: CallContext, namespaceId: string, email: unknown): Promise<void> {
  if (email !== undefined && email !== null && email !== "")
    throw invalidRequest("config.email: expected none, since e-mail about a namespace is sent to its administrators");
  if ((await listContacts(db, namespaceId)).length > 0) return;
  throw invalidRequest("No administrator of the namespace has a confirmed e-mail address: confirm one first");
}

async function checkTarget({ db }: CallContext, owner: NotificationOwner, target: unknown): Promise<void> {
  const { kind, name } = (target ?? {}) as { readonly kind?: unknown; readonly name?: unknown };
  if (typeof name !== "string") throw invalidRequest("target: expected an object with kind and name");
  const namespace = namespaceOf(owner);
  switch (kind) {
    case "user":
      if ((await findAccount(db, name, "user")) === undefined) throw invalidRequest(`Unknown user: ${name}`);
      return;
    case "org":
      if (name === namespace.username && namespace.kind === "organization") return;
      throw invalidRequest(`target: the organization must be that of the ${owner.kind}`);
    case "team": {
      if (await hasTeam(db, namespace.id, name)) return;
      throw invalidRequest(`Unknown team: ${name}`);
    }
    default:
      throw invalidRequest("target: expected the kind user, org or team");
  }
}

/** Checks the filters for events of a kind. @throws RegistryError `invalid_request` */
export function checkEventConfig(event: RepositoryEvent, config: MethodConfig): void {
  if (event === "vulnerability_found") {
    const { level } = config;
    if (level === undefined || /^[0-5]$/.test(String(level))) return;
    throw invalidRequest("eventConfig.level: expected 0 (Critical) to 5 (Unknown)");
  }
  if (event === "repo_image_expiry") {
    const { days } = config;
    if (Number.isSafeInteger(days) && Number(days) > 0) return;
    throw invalidRequest("eventConfig.days: expected a whole number above 0");
  }
  const pattern = config["ref-regex"];
  if (!event.startsWith("build_") || pattern === undefined) return;
  if (typeof pattern !== "string") throw invalidRequest("eventConfig.ref-regex: expected a string");
  compilePattern("eventConfig.ref-regex", pattern);
}

/**
 * Checks the address of an external receiver: HTTP or HTTPS, at a permitted host, and without credentials, because other users would see
 * them.
 * @param name the name of the address in messages: `Invalid ${name}`
 * @throws RegistryError `invalid_request`
 */
export async function checkCallbackUrl({ outgoing }: CallContext, name: string, url: string): Promise<void> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol)) throw invalidRequest(`Invalid ${name}`);
  if (parsed.username !== "" || parsed.password !== "") throw invalidRequest(`Invalid ${name}: it holds credentials`);
  await outgoing.check(parsed.hostname);
}

/**
 * Requests the consent of an address to a repository's notifications by a message with a link, unless it has consented.
 * @throws RegistryError `invalid_request`, also if the registry sends no e-mail
 */
export async function requestEmailConsent(
  context: CallContext,
  repository: ImageRepository,
  email: string,
): Promise<RepositoryEmail> {
  checkEmailAddress(email);
  const known = await findRepositoryEmail(context, repository, email);
  if (known?.confirmed) return known;
  if (context.mailer === noMailer) throw invalidRequest("The registry sends no e-mail");
  await sendRepositoryCode(context, repository, email);
  return { email, confirmed: false };
}
