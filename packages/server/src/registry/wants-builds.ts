import type { Features } from "@plimsoll/registry";

/**
 * Whether images are built if a builder is installed. The default is true only if visitors cannot create accounts, because a Dockerfile
 * runs commands on this machine.
 */
export function wantsBuilds({
  builds,
  userCreation,
}: Pick<Features, "userCreation"> & Partial<Pick<Features, "builds">>): boolean {
  return builds ?? !userCreation;
}
