import { Type } from "typebox";
import { type Importing, importItem } from "./importing.ts";
import { NotImported, pathOf, read } from "./management-api.ts";

const Made = Type.Object({ username: Type.String(), password: Type.String() });

/**
 * Ensures that a user of the source has an account here.
 * @throws NotImported if there is no such user, and users are not created
 */
export async function ensureAccount(importing: Importing, name: string): Promise<void> {
  const { target, credentials, createsUsers, createdUsers } = importing;
  if (name.includes("+") || createdUsers.has(name)) return; // robots are imported already
  const isMissing = async () => (await target.get(pathOf`/users/${name}`)) === undefined;
  if (!(await isMissing())) return;
  if (!createsUsers)
    throw new NotImported(
      `there is no user ${name} here: create the account, or import with --create-users, and import again`,
    );
  await importItem(importing, {
    ...{ kind: "user", name },
    compare: async () => "missing",
    async create() {
      createdUsers.add(name);
      const path = "/superuser/users/";
      const made = await target.send("POST", path, { username: name });
      if (made === undefined) return;
      const user = await read({ get: async () => made }, path, Made);
      await credentials.add({ kind: "user", name, secret: user?.password ?? "" });
      return `has a new password, in ${credentials.path}`;
    },
  });
  if (!importing.isDryRun && (await isMissing())) {
    createdUsers.delete(name);
    throw new NotImported(`the account of ${name} could not be created`);
  }
}
