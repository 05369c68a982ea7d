import { importMirror, importNotifications, importState } from "./import-behaviour.ts";
import { importImages } from "./import-images.ts";
import { importPermissions } from "./import-permissions.ts";
import { importGate, importIgnoreRules, importImmutability } from "./import-protections.ts";
import { importPrunePolicies } from "./import-rules.ts";
import { attempt, type Importing, importItem } from "./importing.ts";
import { NotImported, pathOf, read } from "./management-api.ts";
import { Repository } from "./shapes.ts";

/** A repository of the source. */
export interface SourceRepository {
  readonly organization: string;
  readonly name: string;
  readonly kind: string;
}

/** Imports a repository. What protects it from changes comes last. */
export async function importRepository(importing: Importing, { organization, name, kind }: SourceRepository) {
  const { source, target, report, username } = importing;
  const repository = `${organization}/${name}`;
  const path = pathOf`/repository/${repository}`;
  const seen: { state?: string } = {};
  const isHere = await attempt(report, { kind: "repository", name: repository }, async () => {
    if (kind !== "image") throw new NotImported(`is of the kind ${kind}: expected images`);
    const there = await read(source, `${path}?includeTags=false`, Repository);
    if (there === undefined) throw new NotImported("is not there any more, or the token does not show it");
    seen.state = there.state ?? "NORMAL";
    await importItem(importing, {
      ...{ kind: "repository", name: repository },
      compare: async () => ((await target.get(`${path}?includeTags=false`)) === undefined ? "missing" : undefined),
      async create() {
        const visibility = there.is_public ? "public" : "private";
        const description = there.description ?? "";
        await target.send("POST", "/repository", {
          namespace: organization,
          repository: name,
          visibility,
          description,
        });
        await target.send("DELETE", `${path}/permissions/user/${encodeURIComponent(username)}`);
      },
    });
  });
  if (!isHere) return;
  await importPermissions(importing, { path, repository });
  await importImages(importing, { path, organization, name });
  await importNotifications(importing, `${path}/notification/`, repository);
  await importPrunePolicies(importing, `${path}/autoprunepolicy/`, repository);
  await importMirror(importing, { path, repository });
  await importImmutability(importing, path, repository);
  await importIgnoreRules(importing, path, repository);
  await importGate(importing, path, repository);
  await importState(importing, { path, repository, state: seen.state ?? "NORMAL" });
}
