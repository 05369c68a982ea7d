import type { RepositoryTokenPrincipal } from "../access/principal.ts";
import { hashSecret } from "../crypto/secrets.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { findBuildOfToken, findRunningBuild } from "./queries.ts";

/** The user name that builds sign in to the registry with; the password is the secret of the running attempt. */
export const buildTokenName = "$build";

const idPrefix = "build:";

/** Whether the id of a {@link RepositoryTokenPrincipal} is that of a build. */
export function isBuildToken(id: string): boolean {
  return id.startsWith(idPrefix);
}

/**
 * The principal of a running build: it may write to its repository, until the build ends.
 * @param key the secret, or the id of a principal that was made for it
 */
export async function findBuildPrincipal(
  db: RegistryDb,
  key: { readonly secret: string } | { readonly id: string },
  now: number,
): Promise<RepositoryTokenPrincipal | undefined> {
  const build =
    "secret" in key
      ? await findBuildOfToken(db, hashSecret(key.secret), now)
      : await findRunningBuild(db, key.id.slice(idPrefix.length), now);
  if (build === undefined) return undefined;
  const { id, repository_id: repositoryId } = build;
  return { kind: "repository-token", id: `${idPrefix}${id}`, friendlyName: `build ${id}`, repositoryId, role: "write" };
}
