import { findAccount, findImageRepository, findTeam, findUserByLogin } from "@plimsoll/registry/access/queries";
import { findLinkedBlob } from "@plimsoll/registry/content/queries/blobs";
import { findStoredManifest } from "@plimsoll/registry/content/queries/manifest-content";
import { findAliveTag } from "@plimsoll/registry/content/tags";
import { findPushTarget } from "@plimsoll/registry/distribution/queries";
import { findRobotPrincipal } from "@plimsoll/registry/identity/sign-in/token-holders";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { describe, expect, it } from "vitest";

describe("a name that cannot be one", () => {
  /** A database that fails at any use. */
  const db = new Proxy({} as RegistryDb, {
    get: () => {
      throw new Error("the database was asked");
    },
  });
  const long = "a".repeat(600);
  const look: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    "a namespace": (name) => findAccount(db, name),
    "a login": (name) => findUserByLogin(db, name),
    "a robot": (username) => findRobotPrincipal(db, { username, secret: "x" }, 0),
    "a repository": (name) => findImageRepository(db, "acme", name),
    "a repository's namespace": (name) => findImageRepository(db, name, "app"),
    "a push": (name) => findPushTarget(db, { namespace: "acme", name, uploadId: "" }),
    "a team": (name) => findTeam(db, "id", name),
    "a tag": (name) => findAliveTag(db, { repositoryId: "id", name: `-${name}`, now: 0 }),
    "a manifest": (digest) => findStoredManifest(db, { repositoryId: "id", digest }),
    "a blob": (digest) => findLinkedBlob(db, "id", digest),
  };
  const names = [long, "A", "a b", "a--_b!", "-a", "\u00e4", "a/../b", ""];

  it.each(Object.entries(look))("is not looked up for %s", async (_, find) => {
    for (const name of names) expect(await find(name), name).toBeUndefined();
  });

  it("is no e-mail address where it is longer than one can be", async () => {
    expect(await findUserByLogin(db, `${long}@example.com`)).toBeUndefined();
  });
});
