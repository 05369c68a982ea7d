import type { Features } from "@plimsoll/registry-api";

/**
 * Whether images are built where something can build them: as the setting says, and by default where visitors cannot make accounts, because
 * a Dockerfile runs commands on this machine.
 */
export function wantsBuilds({
  builds,
  userCreation,
}: Pick<Features, "userCreation"> & Partial<Pick<Features, "builds">>): boolean {
  return builds ?? !userCreation;
}
