/** The facts that decide how an account is added to a team. */
export interface TeamCandidate {
  readonly isRobot: boolean;
  /** Whether the account is in a team of the organization, or is a robot of it. */
  readonly isOrganizationMember: boolean;
  /** Whether the team's users come from a directory. */
  readonly isSynced: boolean;
  /** Whether users must consent before they are added to a team. */
  readonly requiresInvite: boolean;
}

/** How an account is added to a team: at once, by an invite, or not at all. */
export type TeamAdmission = "added" | "invited" | "foreign-robot" | "synced";

/** Decides how an account is added. Robots can only join teams of their own organization, and users of synced teams come from the directory. */
export function admissionToTeam(candidate: TeamCandidate): TeamAdmission {
  const { isRobot, isOrganizationMember, isSynced, requiresInvite } = candidate;
  if (isRobot) return isOrganizationMember ? "added" : "foreign-robot";
  if (isSynced) return "synced";
  return requiresInvite && !isOrganizationMember ? "invited" : "added";
}
