import type { ServerResponse } from "node:http";
import { endExportLink, type LinkedExport, reopenExportLink } from "@plimsoll/registry/logs/queries/log-exports";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { ifWritable } from "@plimsoll/store";

/**
 * The bytes of an exported log. The link is ended before the last chunk is sent, so that only one client receives the whole log. If
 * the connection then breaks, the link becomes valid again. A read-only registry does not end links.
 * @throws Error if another client has fetched the log in the meantime: the response is cut off
 */
export async function* fetchOnce(
  db: RegistryDb,
  { response, ...link }: LinkedExport & { readonly response: ServerResponse },
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined;
  for await (const chunk of source) {
    if (held !== undefined) yield held;
    held = chunk;
  }
  await ifWritable(async () => {
    if (!(await endExportLink(db, link)))
      throw new Error("another client has fetched the exported log in the meantime");
    reopenIfCut(db, link, response);
  });
  if (held !== undefined) yield held;
}

function reopenIfCut(db: RegistryDb, link: LinkedExport, response: ServerResponse): void {
  const reopen = () => {
    // If the database fails as well, the link stays ended: the log can be exported again.
    reopenExportLink(db, link).catch(() => {});
  };
  if (response.destroyed) reopen();
  else response.once("close", reopen).once("finish", () => response.off("close", reopen));
}
