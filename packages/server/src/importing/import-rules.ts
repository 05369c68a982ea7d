import type { Static } from "typebox";
import { ensureAccount } from "./import-users.ts";
import { attempt, type Importing, importItem, importList } from "./importing.ts";
import { pathOf, read } from "./management-api.ts";
import { lists, Quotas } from "./shapes.ts";

/** Imports the auto-prune policies of a repository or an organization. @param owner its name, for the report */
export async function importPrunePolicies(importing: Importing, path: string, owner: string): Promise<void> {
  await importList(importing, {
    ...{ kind: "auto-prune policy", owner, path, listing: lists.policies },
    bodyOf: ({ method, value, tagPattern, tagPatternMatches }) => ({
      ...{ method, value },
      ...(tagPattern && { tagPattern, tagPatternMatches: tagPatternMatches ?? true }),
    }),
    nameOf: ({ method, value }) => `${method} ${value}`,
  });
}

/** Imports the default permissions of an organization. Call it after its repositories, which have their own permissions. */
export async function importPrototypes(importing: Importing, organization: string): Promise<void> {
  await importList(importing, {
    ...{ kind: "default permission", owner: organization, path: pathOf`/organization/${organization}/prototypes` },
    listing: lists.prototypes,
    bodyOf: ({ role, delegate, activating_user }) => ({
      role,
      delegate: { name: delegate.name, kind: delegate.kind === "team" ? "team" : "user" },
      activating_user: activating_user ? { name: activating_user.name } : undefined,
    }),
    nameOf: ({ role, delegate, activating_user }) =>
      `${role} for ${delegate.name}${activating_user ? ` of ${activating_user.name}` : ""}`,
    async prepare({ delegate, activating_user }) {
      if (delegate.kind !== "team") await ensureAccount(importing, delegate.name);
      if (activating_user) await ensureAccount(importing, activating_user.name);
    },
  });
}

/** Imports the quota of an organization, with its limits. */
export async function importQuota(importing: Importing, organization: string): Promise<void> {
  const { source, target, report } = importing;
  const path = pathOf`/organization/${organization}/quota`;
  await attempt(report, { kind: "quota", name: organization }, async () => {
    const own = (quotas: Static<typeof Quotas> | undefined) => quotas?.find(({ default_config }) => !default_config);
    const there = own(await read(source, path, Quotas));
    if (there === undefined) return;
    await importItem(importing, {
      ...{ kind: "quota", name: organization },
      async compare() {
        const here = own(await read(target, path, Quotas));
        if (here === undefined) return "missing";
        const isSame = here.limit_bytes === there.limit_bytes;
        return isSame ? undefined : `is ${here.limit_bytes} bytes here, and ${there.limit_bytes} there`;
      },
      async create() {
        await target.send("POST", path, { limit_bytes: there.limit_bytes });
        const made = await target.get(path);
        const [{ id } = {}] = (made ?? []) as readonly { readonly id?: number }[];
        for (const { type, threshold_percent, limit_percent } of there.limits ?? [])
          await target.send("POST", `${path}/${id}/limit`, {
            ...{ type, threshold_percent: threshold_percent ?? limit_percent },
          });
      },
    });
  });
}
