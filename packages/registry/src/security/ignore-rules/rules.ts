import { randomUUID } from "node:crypto";
import { ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import { parsePurl } from "@plimsoll/core/purl";
import { enqueueJob, job } from "@plimsoll/store";
import { Type } from "typebox";
import type { NamedOwner } from "../../access/named-owner.ts";
import { accountOf } from "../../access/principal.ts";
import type { CallContext } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { lockOwner } from "../../limits/queries.ts";
import { formatIsoSeconds, parseInstant } from "../../values/dates.ts";
import { countFindingsJob } from "../jobs.ts";
import type { IgnoreRuleRow } from "../queries/findings.ts";
import { countAgain, insertRule, listRules, ownerColumns, takeRule } from "./queries.ts";

/** A rule to add. */
export interface NewRule {
  readonly vulnerability: string;
  readonly package?: string | undefined;
  readonly image?: string | undefined;
  readonly reason: string;
  readonly expires: string;
}

type Context = CallContext<"change_ignore_rules">;

/** The most rules of an owner, since each is compared with every finding of its images. */
const maxRules = 200;

/** The longest lifetime of a rule. */
const maxRuleMs = 366 * 86_400_000;

/** Counts the vulnerabilities of an owner's images again after its rules have changed. */
export const countAgainJob = job({
  kind: "registry.recount-findings",
  payload: Type.Union([Type.Object({ namespaceId: Type.String() }), Type.Object({ repositoryId: Type.String() })]),
  async handle({ payload, signal }, { store, clock }: Pick<Deps, "store" | "clock">) {
    for (let last: string | undefined = ""; last !== undefined; ) {
      signal.throwIfAborted();
      last = await countAgain(store.db, payload, last);
    }
    await enqueueJob(store.db, countFindingsJob.of(null), clock);
  },
});

/** The rules of an owner, the latest first. Expired rules stay until they are removed. */
export async function viewRules({ db, now }: CallContext, { owner }: NamedOwner) {
  return { rules: (await listRules(db, owner)).map((rule) => ruleView(rule, now)) };
}

/** Adds a rule. @throws RegistryError `invalid_request` */
export async function addRule(context: Context, { owner, names }: NamedOwner, request: NewRule) {
  const { db, now } = context;
  const rule = { ...newRule(context, request), ...ownerColumns(owner) };
  await ("repositoryId" in owner
    ? lockOwner(db, "repository", owner.repositoryId)
    : lockOwner(db, "namespace", owner.namespaceId));
  const existing = await listRules(db, owner);
  if (existing.length >= maxRules) {
    throw invalidRequest(
      `There are ${maxRules} rules, the maximum: remove rules that have expired or suppress nothing`,
    );
  }
  await insertRule(db, rule);
  const view = ruleView(rule, now);
  await context.log("change_ignore_rules", { ...names, change: "added", ...loggedMembers(rule) });
  await enqueueJob(db, countAgainJob.of(owner), context.clock);
  return view;
}

/** Removes a rule: what it suppressed is a finding again. @throws RegistryError `not_found` */
export async function removeRule(context: Context, { owner, names }: NamedOwner, uuid: string): Promise<void> {
  const removed = await takeRule(context.db, owner, uuid);
  if (removed === undefined) throw notFound("There is no rule with that uuid: list the rules to see their uuids");
  await context.log("change_ignore_rules", { ...names, change: "removed", ...loggedMembers(removed) });
  await enqueueJob(context.db, countAgainJob.of(owner), context.clock);
}

function newRule({ principal, now }: Context, request: NewRule): Omit<IgnoreRuleRow, "namespace_id" | "repository_id"> {
  const { vulnerability, package: component, image, reason, expires } = request;
  for (const [name, text] of [
    ["vulnerability", vulnerability],
    ["reason", reason],
  ] as const) {
    if (text.trim() === "") throw invalidRequest(`${name}: expected a string that is not empty`);
  }
  if (component !== undefined) check("package", component, parsePurl);
  if (image !== undefined) check("image", image, parseDigest);
  const expires_at = parseInstant(expires);
  if (expires_at === undefined)
    throw invalidRequest("expires: expected a time (RFC 3339) such as 2027-01-31T12:00:00Z");
  if (expires_at <= now || expires_at > now + maxRuleMs) {
    throw invalidRequest("expires: expected a time in the future, at most 366 days from now");
  }
  return {
    ...{ id: randomUUID(), vulnerability: vulnerability.trim(), reason: reason.trim() },
    ...{ package: component ?? null, image: image ?? null },
    ...{ author: accountOf(principal)?.username ?? "", created_at: now, expires_at, used_at: null },
  };
}

/** @throws RegistryError `invalid_request` that names the member */
function check(member: string, text: string, parse: (text: string) => unknown): void {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof ScanError) throw invalidRequest(`${member}: ${error.message}`);
    throw error;
  }
}

function loggedMembers({ id: uuid, vulnerability, package: component, image, reason, expires_at }: IgnoreRuleRow) {
  return { uuid, vulnerability, package: component, image, reason, expires: formatIsoSeconds(expires_at) };
}

function ruleView(rule: IgnoreRuleRow, now: number) {
  const { id: uuid, vulnerability, package: component, image, reason, author, created_at, expires_at, used_at } = rule;
  return {
    ...{ uuid, vulnerability, package: component, image, reason, author },
    created: formatIsoSeconds(created_at),
    expires: formatIsoSeconds(expires_at),
    has_expired: expires_at <= now,
    last_used: used_at === null ? null : formatIsoSeconds(used_at),
  };
}
