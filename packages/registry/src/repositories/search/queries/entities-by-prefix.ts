import { afterPrefix } from "../../../store/prefixes.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";
import type { FoundAccount } from "./accounts-by-prefix.ts";

/** Some teams of an organization whose names begin with a prefix, by name. */
export function findTeamsByPrefix(
  db: RegistryDb,
  organizationId: string,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
) {
  return db
    .selectFrom("team")
    .select(["id", "name"])
    .where("organization_id", "=", organizationId)
    .where("name", ">=", prefix)
    .where("name", "<", afterPrefix(prefix))
    .orderBy("name")
    .limit(limit)
    .execute();
}

/** Some robots of an owner whose short names begin with a prefix, by name. */
export async function findRobotsByPrefix(
  db: RegistryDb,
  ownerId: string,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<readonly FoundAccount[]> {
  return db
    .selectFrom("robot")
    .innerJoin("account", "account.id", "robot.account_id")
    .select(["account.id", "account.kind", "account.username", "account.email"])
    .where("robot.owner_id", "=", ownerId)
    .where("robot.short_name", ">=", prefix)
    .where("robot.short_name", "<", afterPrefix(prefix))
    .orderBy("robot.short_name")
    .limit(limit)
    .execute();
}
