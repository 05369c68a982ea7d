import { isDeepStrictEqual } from "node:util";
import type { Static } from "typebox";
import { attempt, type Importing, importItem, importList } from "./importing.ts";
import { NotImported, pathOf, read } from "./management-api.ts";
import { Federations, Gate, lists, ProxyCache } from "./shapes.ts";

type Exception = Static<typeof Gate>["exceptions"][number];

/** Imports the federations of a robot: the issuers whose tokens it signs in with. */
export async function importFederations(importing: Importing, organization: string, short: string): Promise<void> {
  const { source, target, report } = importing;
  const path = pathOf`/organization/${organization}/robots/${short}/federation`;
  const thing = { kind: "federation", name: `${organization}+${short}` } as const;
  await attempt(report, thing, async () => {
    const there = (await read(source, path, Federations)) ?? [];
    if (there.length === 0) return;
    await importItem(importing, {
      ...thing,
      async compare() {
        const here = (await read(target, path, Federations)) ?? [];
        if (here.length === 0) return "missing";
        return isDeepStrictEqual(here, there) ? undefined : "can sign in with other tokens here";
      },
      create: () => target.send("POST", path, there),
    });
  });
}

/**
 * Imports the immutability policies of a repository or an organization. Call it after the tags are imported.
 * @param path of the repository or the organization
 */
export async function importImmutability(importing: Importing, path: string, owner: string): Promise<void> {
  await importList(importing, {
    ...{ kind: "immutability policy", owner, path: `${path}/immutabilitypolicy/` },
    listing: lists.immutability,
    bodyOf: ({ tagPattern, tagPatternMatches }) => ({ tagPattern, tagPatternMatches: tagPatternMatches ?? true }),
    nameOf: ({ tagPattern }) => tagPattern,
  });
}

/** Imports the ignore rules for findings that have not expired. @param path of the repository or the organization */
export async function importIgnoreRules(importing: Importing, path: string, owner: string): Promise<void> {
  await importList(importing, {
    ...{ kind: "ignore rule", owner, path: `${path}/ignorerules` },
    listing: lists.ignoreRules,
    isWanted: ({ has_expired }) => !has_expired,
    bodyOf: ({ vulnerability, package: component, image, reason, expires }) => ({
      ...{ vulnerability, package: component ?? null, image: image ?? null, reason, expires },
    }),
    nameOf: ({ vulnerability }) => vulnerability,
  });
}

/** Imports the pull gate, with its keys and the exceptions that have not expired. @param path of the repository or the organization */
export async function importGate(importing: Importing, path: string, owner: string): Promise<void> {
  const { source, target, report, now } = importing;
  const thing = { kind: "pull gate", name: owner } as const;
  await attempt(report, thing, async () => {
    const there = await read(source, `${path}/pullgate`, Gate);
    if (there === undefined) return;
    await importItem(importing, {
      ...thing,
      async compare() {
        const here = await read(target, `${path}/pullgate`, Gate);
        if (here === undefined) return "missing";
        return isDeepStrictEqual(here.rules, there.rules) ? undefined : "rejects other images here";
      },
      async create() {
        await target.send("PUT", `${path}/pullgate`, there.rules);
        for (const exception of there.exceptions.filter(({ expires }) => Date.parse(expires) > now()))
          await target.send("POST", `${path}/pullgate/exceptions`, bodyOf(exception));
        for (const { name, public_key } of there.keys ?? [])
          await target.send("POST", `${path}/pullgate/keys`, { name, public_key });
      },
    });
  });
}

function bodyOf({ vulnerability, package: component, image, reason, expires }: Exception) {
  return { vulnerability: vulnerability ?? null, package: component ?? null, image: image ?? null, reason, expires };
}

/** Reports that an organization is a proxy cache. It is not imported, because its password cannot be read; its content is cached again. */
export async function reportProxyCache({ source, report }: Importing, organization: string): Promise<void> {
  await attempt(report, { kind: "proxy cache", name: organization }, async () => {
    const cache = await read(source, pathOf`/organization/${organization}/proxycache`, ProxyCache);
    if (!cache?.upstream_registry) return;
    throw new NotImported(`caches ${cache.upstream_registry}, whose password cannot be read: set it up here`);
  });
}
