import { lowerLetters } from "../../values/names.ts";

/** A user in a team. */
export interface SyncedMember {
  readonly id: string;
  readonly username: string;
}

/** The users who must join a team, and the members who must leave it. */
export interface MembershipChanges {
  readonly join: readonly string[];
  readonly leave: readonly SyncedMember[];
}

/** Compares the users of a team with those of a group. Names of the group are converted to lower case. */
export function membershipChanges(members: readonly SyncedMember[], group: readonly string[]): MembershipChanges {
  const wanted = new Set(group.map(lowerLetters));
  const present = new Set(members.map(({ username }) => username));
  return {
    join: [...wanted].filter((name) => !present.has(name)),
    leave: members.filter(({ username }) => !wanted.has(username)),
  };
}
