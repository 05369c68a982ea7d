import type { ImportedRepository } from "./import-permissions.ts";
import { attempt, type Importing, importItem } from "./importing.ts";
import { readAll } from "./management-api.ts";
import { lists } from "./shapes.ts";

/** Imports the labels that were added to an image. Those in its manifest are imported with the manifest. */
export async function importLabels(
  importing: Importing,
  { path, repository, digest }: ImportedRepository & { readonly digest: string },
): Promise<void> {
  const { source, target, report } = importing;
  const list = `${path}/manifest/${digest}/labels`;
  await attempt(report, { kind: "label", name: `${repository}@${digest}` }, async () => {
    const here = new Set<string>();
    const keyOf = ({ key, value }: { readonly key: string; readonly value: string }) => JSON.stringify([key, value]);
    let isRead = false;
    for await (const label of readAll(source, list, lists.labels)) {
      const { key, value, media_type, source_type } = label;
      if (source_type !== "api" && source_type != null) continue;
      if (!isRead) for await (const each of readAll(target, list, lists.labels)) here.add(keyOf(each));
      isRead = true;
      await importItem(importing, {
        ...{ kind: "label", name: `${repository}@${digest}: ${key}=${value}` },
        compare: async () => (here.has(keyOf(label)) ? undefined : "missing"),
        create: () => target.send("POST", list, { key, value, media_type: media_type ?? null }),
      });
    }
  });
}
