import type { Static } from "typebox";
import { ensureAccount } from "./import-users.ts";
import { attempt, type Importing, take, takeList } from "./importing.ts";
import { pathOf, read } from "./management-api.ts";
import { lists, Quotas } from "./shapes.ts";

/** Takes the rules over by which tags are removed. @param owner whose they are */
export async function importPrunePolicies(importing: Importing, path: string, owner: string): Promise<void> {
  await takeList(importing, {
    ...{ kind: "auto-prune policy", owner, path, listing: lists.policies },
    bodyOf: ({ method, value, tagPattern, tagPatternMatches }) => ({
      ...{ method, value },
      ...(tagPattern && { tagPattern, tagPatternMatches: tagPatternMatches ?? true }),
    }),
    nameOf: ({ method, value }) => `${method} ${value}`,
  });
}

/** Takes the default permissions of an organization over: after its repositories, which have theirs. */
export async function importPrototypes(importing: Importing, organization: string): Promise<void> {
  await takeList(importing, {
    ...{ kind: "default permission", owner: organization, path: pathOf`/organization/${organization}/prototypes` },
    listing: lists.prototypes,
    bodyOf: ({ role, delegate, activating_user }) => ({
      role,
      delegate: { name: delegate.name, kind: delegate.kind === "team" ? "team" : "user" },
      ...(activating_user && { activating_user: { name: activating_user.name } }),
    }),
    nameOf: ({ role, delegate, activating_user }) =>
      `${role} for ${delegate.name}${activating_user ? ` of ${activating_user.name}` : ""}`,
    async prepare({ delegate, activating_user }) {
      if (delegate.kind !== "team") await ensureAccount(importing, delegate.name);
      if (activating_user) await ensureAccount(importing, activating_user.name);
    },
  });
}

/** Takes over how many bytes an organization may use. */
export async function importQuota(importing: Importing, organization: string): Promise<void> {
  const { source, target, report } = importing;
  const path = pathOf`/organization/${organization}/quota`;
  await attempt(report, { kind: "quota", name: organization }, async () => {
    const own = (quotas: Static<typeof Quotas> | undefined) => quotas?.find(({ default_config }) => !default_config);
    const there = own(await read(source, path, Quotas));
    if (there === undefined) return;
    await take(importing, {
      ...{ kind: "quota", name: organization },
      async look() {
        const here = own(await read(target, path, Quotas));
        if (here === undefined) return "missing";
        const isSame = here.limit_bytes === there.limit_bytes;
        return isSame ? undefined : `is ${here.limit_bytes} bytes here, and ${there.limit_bytes} there`;
      },
      async make() {
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
