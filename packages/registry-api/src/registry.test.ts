import { registryMigrations } from "@plimsoll/registry/store/migrations/all";
import type { RegistryTables } from "@plimsoll/registry/store/tables/all";
import { openTestStore } from "@plimsoll/testing";
import fastify, { type FastifyInstance } from "fastify";
import { expect, it } from "vitest";
import { createRegistry } from "./registry.ts";

it("a registry without test options hashes passwords at the default cost", async () => {
  await using store = await openTestStore<RegistryTables>(":memory:", { migrations: [registryMigrations] });
  const registry = createRegistry({ store, key: new Uint8Array(32), blobs: {} as never });
  await using app = fastify() as unknown as FastifyInstance;
  registry.register(app);
  const payload = { username: "alice", password: "correct-horse", email: "alice@example.com" };

  const { statusCode } = await app.inject({ method: "POST", url: "/api/v1/user/initialize", payload });

  expect(statusCode).toBe(200);
  const { password_hash } = await store.db.selectFrom("account").select("password_hash").executeTakeFirstOrThrow();
  expect(password_hash).toMatch(/^scrypt\$32768\$8\$1\$/);
});
