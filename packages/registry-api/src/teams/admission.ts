/** What decides how an account is added to a team. */
export interface TeamCandidate {
  readonly isRobot: boolean;
  /** Whether they are in a team of the organization, or a robot of it. */
  readonly isOrganizationMember: boolean;
  /** Whether the team's users come from a directory. */
  readonly isSynced: boolean;
  /** Whether users are asked before they are added to a team. */
  readonly asksFirst: boolean;
}

/** How an account is added to a team: at once, by an invite, or not at all. */
export type TeamAdmission = "added" | "invited" | "foreign-robot" | "synced";

/** Robots only serve their own organization, users of synced teams come from the directory, and strangers are asked first. */
export function admissionToTeam(candidate: TeamCandidate): TeamAdmission {
  const { isRobot, isOrganizationMember, isSynced, asksFirst } = candidate;
  if (isRobot) return isOrganizationMember ? "added" : "foreign-robot";
  if (isSynced) return "synced";
  return asksFirst && !isOrganizationMember ? "invited" : "added";
}
