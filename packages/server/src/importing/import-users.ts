import { Type } from "typebox";
import { type Importing, take } from "./importing.ts";
import { NotTaken, pathOf, read } from "./management-api.ts";

const Made = Type.Object({ username: Type.String(), password: Type.String() });

/**
 * Sees to it that a user of the source can be named here.
 * @throws NotTaken where there is no such user, and none is to be made
 */
export async function ensureAccount(importing: Importing, name: string): Promise<void> {
  const { target, credentials, createsUsers, madeUsers } = importing;
  if (name.includes("+") || madeUsers.has(name)) return; // robots were taken before
  const isMissing = async () => (await target.get(pathOf`/users/${name}`)) === undefined;
  if (!(await isMissing())) return;
  if (!createsUsers)
    throw new NotTaken(
      `there is no user ${name} here: create the account, or import with --create-users, and import again`,
    );
  await take(importing, {
    ...{ kind: "user", name },
    look: async () => "missing",
    async make() {
      madeUsers.add(name);
      const path = "/superuser/users/";
      const made = await target.send("POST", path, { username: name });
      if (made === undefined) return;
      const user = await read({ get: async () => made }, path, Made);
      await credentials.add({ kind: "user", name, secret: user?.password ?? "" });
      return `has a new password, in ${credentials.path}`;
    },
  });
  if (!importing.isDryRun && (await isMissing())) {
    madeUsers.delete(name);
    throw new NotTaken(`the account of ${name} could not be created`);
  }
}
