import { randomUUID } from "node:crypto";
import { hashSecret, randomSecret, type Sealer } from "../crypto/secrets.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { type AppToken, insertAppToken } from "./queries/app-tokens.ts";

/** An app token to be. */
export interface NewAppToken {
  readonly accountId: string;
  readonly title: string;
  readonly now: number;
  /** For ever where absent. */
  readonly lifetimeSeconds?: number | undefined;
}

/** Makes an app token. Its code can be read again, by its owner. */
export async function createAppToken(db: RegistryDb, secrets: Sealer, request: NewAppToken): Promise<AppToken> {
  const { accountId, title, now, lifetimeSeconds } = request;
  const code = randomSecret(120);
  const row = {
    id: randomUUID(),
    account_id: accountId,
    title,
    token_hash: hashSecret(code),
    token_sealed: secrets.seal(code),
    created_at: now,
    expires_at: lifetimeSeconds === undefined ? null : now + lifetimeSeconds * 1000,
    last_accessed_at: null,
  };
  await insertAppToken(db, row);
  return row;
}
