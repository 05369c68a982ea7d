import { RegistryError } from "@plimsoll/registry/errors";
import type { OutsideUser } from "@plimsoll/registry/ports/identities";

/** The names of claims, and the meaning of groups. */
export interface OidcClaimRules {
  /** `preferred_username` where absent. */
  readonly usernameClaim?: string;
  /** `email` where absent. */
  readonly emailClaim?: string;
  /** The claim that the address is verified; `email_verified` where absent. */
  readonly emailVerifiedClaim?: string;
  /** The claim with the groups of the user; where absent, teams cannot be synchronized. */
  readonly groupsClaim?: string;
  /** Only members of one of these groups may sign in; where absent, all users may. */
  readonly requiredGroups?: readonly string[];
  readonly superuserGroups?: readonly string[];
  readonly restrictedGroups?: readonly string[];
}

/** The longest name, address and subject: characters. */
const maxLength = 255;
const maxGroups = 10_000;

/**
 * Reads a user from the claims of a provider. One who is in no required group has a `refusal`, no role and no groups.
 * @throws RegistryError `downstream_issue` for claims that cannot be used
 */
export function userOfClaims(claims: Readonly<Record<string, unknown>>, rules: OidcClaimRules): OutsideUser {
  const { usernameClaim = "preferred_username", emailClaim = "email", emailVerifiedClaim = "email_verified" } = rules;
  const subject = textOf(claims.sub);
  if (subject === undefined) throw unusable(`sub: expected a string of up to ${maxLength} characters`);
  const username = textOf(claims[usernameClaim]);
  const email = isTrue(claims[emailVerifiedClaim]) ? textOf(claims[emailClaim]) : undefined;
  const [givenName, familyName] = [textOf(claims.given_name), textOf(claims.family_name)];
  const groups = rules.groupsClaim === undefined ? undefined : groupsOf(claims, rules.groupsClaim);
  if (rules.requiredGroups !== undefined && !isIn(groups, rules.requiredGroups)) {
    return { subject, groups: [], role: undefined, refusal: "You are not in a group whose members may sign in here" };
  }
  return {
    subject,
    username,
    email,
    givenName,
    familyName,
    groups,
    role: roleOf(groups, rules),
  };
}

function roleOf(groups: readonly string[] | undefined, rules: OidcClaimRules): OutsideUser["role"] {
  if (isIn(groups, rules.superuserGroups)) return "superuser";
  return isIn(groups, rules.restrictedGroups) ? "restricted" : undefined;
}

/**
 * A user without the claim is in no group. A provider that moved the groups into a distributed claim, because there are too many, is
 * an error: the groups are then unknown.
 * @see https://openid.net/specs/openid-connect-core-1_0.html#AggregatedDistributedClaims
 */
function groupsOf(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = claims[name];
  if (value === undefined) {
    if (!(name in Object(claims._claim_names))) return [];
    throw unusable(`${name}: the provider left the groups out because there are too many: configure it to send fewer`);
  }
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (groups.length > maxGroups) throw unusable(`${name}: more than ${maxGroups} groups`);
  if (groups.every((each) => typeof each === "string")) return groups;
  throw unusable(`${name}: expected a list of names of groups`);
}

function isIn(groups: readonly string[] | undefined, some: readonly string[] | undefined): boolean {
  return groups?.some((group) => some?.includes(group)) ?? false;
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > maxLength || value.includes("\u0000"))
    return undefined;
  return value;
}

/** Some providers send booleans as text. */
function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

function unusable(found: string): RegistryError {
  return new RegistryError("downstream_issue", `The claims of the provider cannot be used: ${found}`);
}
