import { randomUUID } from "node:crypto";
import type { ImageRepository } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { hashSecret, randomSecret, type Sealer } from "../../crypto/secrets.ts";
import { notInList } from "../../errors.ts";
import type { RepositoryRole } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import {
  findRepositoryToken,
  insertRepositoryToken,
  type RepositoryTokenRow,
  removeRepositoryToken,
  setRepositoryTokenRole,
} from "./queries/repository-permissions.ts";

/** A token to create. */
export interface NewRepositoryToken {
  readonly repository: ImageRepository;
  readonly friendlyName: string;
  readonly now: number;
}

/** Creates a token of one repository, with the role `read`. Its code is stored sealed, so that it can be shown again. */
export async function createRepositoryToken(
  db: RegistryDb,
  secrets: Sealer,
  { repository, friendlyName, now }: NewRepositoryToken,
): Promise<RepositoryTokenRow> {
  const code = randomSecret(64);
  const row: RepositoryTokenRow = {
    id: randomUUID(),
    repository_id: repository.id,
    friendly_name: friendlyName,
    role: "read",
    code_hash: hashSecret(code),
    code_sealed: secrets.seal(code),
    created_at: now,
  };
  await insertRepositoryToken(db, row);
  return row;
}

/** The token of a repository with that code. @throws RegistryError `not_found` */
export async function getRepositoryToken(
  db: RegistryDb,
  repository: ImageRepository,
  code: string,
): Promise<RepositoryTokenRow> {
  const token = await findRepositoryToken(db, repository.id, hashSecret(code));
  if (token === undefined) throw notInList("The repository has no token with that code");
  return token;
}

/** Changes the role of a token. @throws RegistryError `not_found` */
export async function changeRepositoryToken(
  { db, log }: Pick<CallContext<"change_repo_permission">, "db" | "log">,
  repository: ImageRepository,
  { code, role }: { readonly code: string; readonly role: RepositoryRole | undefined },
): Promise<RepositoryTokenRow> {
  const row = await getRepositoryToken(db, repository, code);
  if (role === undefined) return row;
  await setRepositoryTokenRole(db, row.id, role);
  const { name: repo, namespace } = repository;
  await log("change_repo_permission", { repo, namespace, token: row.friendly_name, role });
  return { ...row, role };
}

/** Deletes a token. @throws RegistryError `not_found` */
export async function deleteRepositoryToken(
  { db, log }: Pick<CallContext<"delete_repo_accesstoken">, "db" | "log">,
  repository: ImageRepository,
  code: string,
): Promise<void> {
  const { id, friendly_name: token } = await getRepositoryToken(db, repository, code);
  await removeRepositoryToken(db, id);
  await log("delete_repo_accesstoken", { repo: repository.name, namespace: repository.namespace, token });
}
