import { deleteExpired } from "@plimsoll/registry/administration/jobs";
import { createOAuthToken } from "@plimsoll/registry/identity/oauth/tokens";
import { createSession } from "@plimsoll/registry/identity/sign-in/sessions";
import { createAppToken } from "@plimsoll/registry/identity/sign-in/token-holders";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const sealer = { seal: (plain: string) => plain, open: (sealed: string) => sealed };

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "deleteExpired on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)("deletes sessions and codes at once, tokens after a day, and what lives never", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db } = registry.store;
      const { now } = registry.time;
      const account = await registry.user("alice");
      await registry.token(account, "repo:read"); // makes the application, and a token for ten years
      const clientId = `TEST${account.id}`;
      for (const lifetimeSeconds of [60, 3600]) {
        await createSession(db, { account, now, lifetimeSeconds });
        await createAppToken(db, sealer, { accountId: account.id, title: "laptop", now, lifetimeSeconds });
        await createOAuthToken(db, { clientId, accountId: account.id, scopes: new Set(), now, lifetimeSeconds });
      }
      await createAppToken(db, sealer, { accountId: account.id, title: "for ever", now });
      const code = { account_id: account.id, repository_id: null, email: "a@example.com", expires_at: now + 60_000 };
      await db
        .insertInto("email_code")
        .values([
          { ...code, code_hash: "open", purpose: "recover", confirmed_at: null },
          { ...code, code_hash: "confirmed", purpose: "authorize_repository", confirmed_at: now },
        ])
        .execute();
      const grant = {
        client_id: clientId,
        account_id: account.id,
        scope: "",
        redirect_uri: "",
        code_challenge: null,
        token_id: null,
      };
      await db
        .insertInto("oauth_code")
        .values({ ...grant, code_hash: "x", expires_at: now + 60_000 })
        .execute();
      const count = async (table: "session" | "app_token" | "oauth_token" | "email_code" | "oauth_code") =>
        (await db.selectFrom(table).selectAll().execute()).length;
      const counts = async () => [
        await count("session"),
        await count("app_token"),
        await count("oauth_token"),
        await count("email_code"),
        await count("oauth_code"),
      ];

      await deleteExpired(db, now + 59_999);
      const before = await counts();
      await deleteExpired(db, now + 60_000);
      const after = await counts();
      await deleteExpired(db, now + 60_000 + 86_400_000);

      expect(before).toEqual([2, 3, 3, 2, 1]);
      expect(after).toEqual([1, 3, 3, 1, 0]);
      expect(await counts()).toEqual([0, 2, 2, 1, 0]);
    });

    it.skipIf(engine.skip)("deletes invites a week after they have ended, with the notices about them", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db } = registry.store;
      const { now } = registry.time;
      const [ann, eve] = [await registry.user("ann"), await registry.user("eve")];
      await registry.organization("acme", { admin: [ann], member: [ann] });
      const teams = await db.selectFrom("team").select("id").orderBy("name").execute();
      for (const [index, { id: team_id }] of teams.entries()) {
        const made = { id: `invite-${index}`, created_at: now + index, account_id: eve.id };
        await db
          .insertInto("team_invite")
          .values({ ...made, team_id, email: null, inviter_id: ann.id })
          .execute();
        const told = { kind: "org_team_invite", metadata: "{}", dismissed: 0 } as const;
        await db
          .insertInto("user_notification")
          .values({ ...made, ...told })
          .execute();
      }
      const left = async () => {
        const invites = await db.selectFrom("team_invite").select("id").execute();
        const notices = await db.selectFrom("user_notification").select("id").execute();
        return [invites, notices].map((rows) => rows.map(({ id }) => id));
      };

      await deleteExpired(db, now + 37 * 86_400_000);
      const before = await left();
      await deleteExpired(db, now + 37 * 86_400_000 + 1);

      expect(before.map((ids) => ids.length)).toEqual([2, 2]);
      expect(await left()).toEqual([["invite-1"], ["invite-1"]]);
    });
  },
);
