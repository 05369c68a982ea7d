import { describe, expect, it } from "vitest";
import { findAccount, findUserByLogin } from "./accounts.ts";
import { findImageRepository } from "./image-repositories.ts";
import { longestName } from "./longest-name.ts";
import type { RegistryDb } from "./tables/all.ts";

describe("longestName", () => {
  const long = "a".repeat(longestName + 1);
  /** A database that fails at any use. */
  const db = new Proxy({} as RegistryDb, {
    get: () => {
      throw new Error("the database was asked");
    },
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a repository", () => findImageRepository(db, "acme", long)],
    ["a namespace", () => findAccount(db, long)],
    ["a login", () => findUserByLogin(db, long)],
    ["an e-mail address", () => findUserByLogin(db, `${long}@example.com`)],
  ])("looks up no name of %s that is longer", async (_, find) => {
    expect(await find()).toBeUndefined();
  });
});
