import { randomUUID } from "node:crypto";
import { hashSecret, randomSecret, type Sealer } from "../../crypto/secrets.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { type AppToken, insertAppToken } from "./queries/token-holders.ts";

/** An app token to create. */
export interface NewAppToken {
  readonly accountId: string;
  readonly title: string;
  readonly now: number;
  /** Absent: the token never expires. */
  readonly lifetimeSeconds?: number | undefined;
}

/** Creates an app token. Its code is stored sealed, so that the owner can read it again. */
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
