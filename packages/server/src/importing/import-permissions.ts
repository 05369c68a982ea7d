import { ensureAccount } from "./import-users.ts";
import { attempt, type Importing, importItem } from "./importing.ts";
import { readAll } from "./management-api.ts";
import { lists } from "./shapes.ts";

/** A repository and its path in the API. */
export interface ImportedRepository {
  /** `/repository/NAMESPACE/NAME` */
  readonly path: string;
  /** `NAMESPACE/NAME` */
  readonly repository: string;
}

/** Imports the roles of users, robots and teams on a repository. */
export async function importPermissions(importing: Importing, repository: ImportedRepository): Promise<void> {
  for (const holder of ["user", "team"] as const) {
    const item = { kind: "permission", name: repository.repository } as const;
    await attempt(importing.report, item, () => importRoles(importing, repository, holder));
  }
}

async function importRoles(
  importing: Importing,
  { path, repository }: ImportedRepository,
  holder: "user" | "team",
): Promise<void> {
  const { source, target } = importing;
  const list = `${path}/permissions/${holder}/`;
  const here = new Map<string, string>();
  for await (const { name, role } of readAll(target, list, lists.permissions)) here.set(name, role);
  for await (const { name, role } of readAll(source, list, lists.permissions)) {
    await importItem(importing, {
      ...{ kind: "permission", name: `${repository}: ${holder} ${name}` },
      async compare() {
        const known = here.get(name);
        if (known === undefined) return "missing";
        return known === role ? undefined : `is ${known} here, and ${role} there`;
      },
      async create() {
        if (holder === "user") await ensureAccount(importing, name);
        await target.send("PUT", `${list}${encodeURIComponent(name)}`, { role });
      },
    });
  }
}
