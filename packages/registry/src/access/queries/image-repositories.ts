import { compileOnce, type Parameter } from "@plimsoll/store";
import type { ExpressionBuilder, Selectable } from "kysely";
import type { RegistryDb, RegistryTables } from "../../store/tables/all.ts";
import type { ImageRepositoryTable } from "../../store/tables/content.ts";
import { isRepositoryPath } from "../../values/names.ts";
import type { AccountRow } from "./accounts.ts";

/** A repository as it is stored. */
export type ImageRepositoryRow = Selectable<ImageRepositoryTable>;

/** An image repository with the names that clients know it by. */
export interface ImageRepository extends ImageRepositoryRow {
  readonly namespace: string;
  readonly namespaceKind: AccountRow["kind"];
  /** For how long the namespace's removed tags can be restored. */
  readonly tagExpirationSeconds: number;
  /** The registry that the namespace is a cache of. Set only by queries that begin a pull or a push. */
  readonly cacheOf?: string | null;
  /** The pull gate of the namespace. Absent where the query did not select it: such a subject cannot be pulled from. */
  readonly namespaceGate?: string | null;
  /** The pull gate of the repository itself. */
  readonly repositoryGate?: string | null;
}

/** The repository of that name, unless it is deleted or its namespace disabled. */
export async function findImageRepository(
  db: RegistryDb,
  namespace: string,
  name: string,
): Promise<ImageRepository | undefined> {
  if (!isRepositoryPath(`${namespace}/${name}`)) return undefined;
  const [repository] = await findByName(db, { namespace, name });
  return repository;
}

/** A query of the repository with that id, unless its namespace is disabled. Callers add the states that it may have. */
export function enabledRepository(db: RegistryDb, id: string) {
  return db
    .selectFrom("image_repository")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .selectAll("image_repository")
    .select(["account.username as namespace", "account.kind as namespaceKind"])
    .select("account.tag_expiration_s as tagExpirationSeconds")
    .where("image_repository.id", "=", id)
    .where("account.enabled", "=", 1);
}

/** The pull gates of a repository and its namespace. Every query that begins a pull selects these columns. */
export function gateColumns(eb: ExpressionBuilder<RegistryTables, "image_repository">) {
  const gates = eb.selectFrom("pull_gate").select("pull_gate.gate");
  return [
    gates.whereRef("pull_gate.namespace_id", "=", "image_repository.namespace_id").as("namespaceGate"),
    gates.whereRef("pull_gate.repository_id", "=", "image_repository.id").as("repositoryGate"),
  ] as const;
}

const findByName = compileOnce((db: RegistryDb, parameter: Parameter<{ namespace: string; name: string }>) =>
  db
    .selectFrom("image_repository")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .leftJoin("proxy_cache", "proxy_cache.organization_id", "image_repository.namespace_id")
    .selectAll("image_repository")
    .select("proxy_cache.upstream_registry as cacheOf")
    .select(["account.username as namespace", "account.kind as namespaceKind"])
    .select("account.tag_expiration_s as tagExpirationSeconds")
    .select(gateColumns)
    .where("account.username", "=", parameter("namespace"))
    .where("account.enabled", "=", 1)
    .where("image_repository.name", "=", parameter("name"))
    .where("image_repository.state", "!=", "deleted"),
);
