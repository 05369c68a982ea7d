import type { ServerResponse } from "node:http";
import { ifWritable } from "@plimsoll/store";
import type { RegistryDb } from "../store/tables/all.ts";
import { endExportLink, type LinkedExport, reopenExportLink } from "./queries/log-exports.ts";

/**
 * The bytes of an exported log. Its link ends before the last of them is sent, so that only one client gets the whole of it; where
 * the connection then breaks, the link is as before. A registry that is read-only leaves it as it is.
 * @throws Error where another client has got all of it meanwhile: the answer is cut
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
    reopenWhereCut(db, link, response);
  });
  if (held !== undefined) yield held;
}

function reopenWhereCut(db: RegistryDb, link: LinkedExport, response: ServerResponse): void {
  const reopen = () => {
    // Where the database fails as well, the link stays ended: the log can be exported again.
    reopenExportLink(db, link).catch(() => {});
  };
  if (response.destroyed) reopen();
  else response.once("close", reopen).once("finish", () => response.off("close", reopen));
}
