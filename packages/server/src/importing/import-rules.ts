import { isDeepStrictEqual } from "node:util";
import type { Static } from "typebox";
import { ensureAccount } from "./import-users.ts";
import { attempt, type Importing, take } from "./importing.ts";
import { listAll, pathOf, read, readAll } from "./management-api.ts";
import { lists, Quotas } from "./shapes.ts";

type Policy = Static<typeof lists.policies.schema>["policies"][number];
type Prototype = Static<typeof lists.prototypes.schema>["prototypes"][number];

/** Takes the rules over by which tags are removed. @param owner whose they are */
export async function importPrunePolicies(importing: Importing, path: string, owner: string): Promise<void> {
  const { source, target, report } = importing;
  const bodyOf = ({ method, value, tagPattern, tagPatternMatches }: Policy) => ({
    ...{ method, value },
    ...(tagPattern && { tagPattern, tagPatternMatches: tagPatternMatches ?? true }),
  });
  await attempt(report, { kind: "auto-prune policy", name: owner }, async () => {
    const here = (await listAll(target, path, lists.policies)).map(bodyOf);
    for await (const policy of readAll(source, path, lists.policies)) {
      const body = bodyOf(policy);
      await take(importing, {
        ...{ kind: "auto-prune policy", name: `${owner}: ${policy.method} ${policy.value}` },
        look: async () => (here.some((each) => isDeepStrictEqual(each, body)) ? undefined : "missing"),
        make: () => target.send("POST", path, body),
      });
    }
  });
}

/** Takes the default permissions of an organization over: after its repositories, which have theirs. */
export async function importPrototypes(importing: Importing, organization: string): Promise<void> {
  const { source, target, report } = importing;
  const path = pathOf`/organization/${organization}/prototypes`;
  const bodyOf = ({ role, delegate, activating_user }: Prototype) => ({
    role,
    delegate: { name: delegate.name, kind: delegate.kind === "team" ? "team" : "user" },
    ...(activating_user && { activating_user: { name: activating_user.name } }),
  });
  await attempt(report, { kind: "default permission", name: organization }, async () => {
    const here = (await listAll(target, path, lists.prototypes)).map(bodyOf);
    for await (const prototype of readAll(source, path, lists.prototypes)) {
      const body = bodyOf(prototype);
      const { role, delegate, activating_user } = body;
      const creator = activating_user === undefined ? "" : ` of ${activating_user.name}`;
      await take(importing, {
        ...{ kind: "default permission", name: `${organization}: ${role} for ${delegate.name}${creator}` },
        look: async () => (here.some((each) => isDeepStrictEqual(each, body)) ? undefined : "missing"),
        async make() {
          if (delegate.kind === "user") await ensureAccount(importing, delegate.name);
          if (activating_user !== undefined) await ensureAccount(importing, activating_user.name);
          await target.send("POST", path, body);
        },
      });
    }
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
