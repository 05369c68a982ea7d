import type { ImageRepository } from "../../access/queries/image-repositories.ts";
import type { CallContext } from "../../context.ts";
import { hashSecret } from "../../crypto/secrets.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** An e-mail address that a repository's notifications may go to once its owner has confirmed it. */
export interface RepositoryEmail {
  readonly email: string;
  readonly confirmed: boolean;
}

/** The state of an address in a repository; undefined if its consent was not requested, or the request has expired. */
export async function findRepositoryEmail(
  { db, now }: Pick<CallContext, "db" | "now">,
  { id }: ImageRepository,
  email: string,
): Promise<RepositoryEmail | undefined> {
  const { codes, confirmedAt } = await db
    .selectFrom("email_code")
    .select(({ fn }) => [fn.countAll<number>().as("codes"), fn.max("confirmed_at").as("confirmedAt")])
    .where("repository_id", "=", id)
    .where("email", "=", email)
    .where(({ or, eb }) => or([eb("confirmed_at", "is not", null), eb("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return Number(codes) === 0 ? undefined : { email, confirmed: confirmedAt !== null };
}

/** Confirms the address that a repository's code was sent to. @returns undefined for a code that is unknown, used, expired or for another purpose */
export async function confirmRepositoryEmail(
  db: RegistryDb,
  code: string,
  { now }: { readonly now: number },
): Promise<{ readonly email: string } | undefined> {
  return db
    .updateTable("email_code")
    .set({ confirmed_at: now })
    .where("code_hash", "=", hashSecret(code))
    .where("purpose", "=", "authorize_repository")
    .where("expires_at", ">", now)
    .where("confirmed_at", "is", null)
    .returning("email")
    .executeTakeFirst();
}
