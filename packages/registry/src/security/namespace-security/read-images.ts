import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { repositoryViewer } from "../../repositories/queries/visible-repositories.ts";
import { readByKeys, readPages } from "../../store/bounded-reads.ts";
import { type FoundImage, listShownImages, listVisible } from "./queries.ts";

/** An image, and the name of its repository. */
export interface NamespaceImage extends FoundImage {
  readonly repository: string;
}

/**
 * The images with living tags in the repositories of a namespace that the caller may read, in no order. An image in two repositories
 * comes twice. They are read in steps, so that other requests are not delayed.
 * @param vulnerability its finding is read with each image; the empty text: none
 */
export async function* readImages(
  { db, principal, globalRole, now }: CallContext,
  { id: namespaceId }: Pick<AccountRow, "id">,
  vulnerability: string,
): AsyncGenerator<readonly NamespaceImage[]> {
  const viewer = repositoryViewer(principal, globalRole);
  const pages = readPages<{ readonly id: string; readonly name: string }>((last) =>
    listVisible(db, { namespaceId, viewer, after: last?.id ?? "" }),
  );
  for await (const repositories of pages) {
    const names = new Map(repositories.map(({ id, name }) => [id, name]));
    const images = readByKeys<FoundImage>([...names.keys()], (repositoryIds, last) =>
      listShownImages(db, { repositoryIds, after: last?.digest ?? "", vulnerability, now }),
    );
    for await (const rows of images) {
      yield rows.map((row) => ({ ...row, repository: names.get(row.repository_id) ?? "" }));
    }
  }
}
