import type { ServerResponse } from "node:http";
import { parseDigest } from "@plimsoll/core/digest";
import { hashSecret } from "@plimsoll/registry/crypto/secrets";
import { notFound } from "@plimsoll/registry/errors";
import {
  endExportLink,
  findLogExportFile,
  type LinkedExport,
  reopenExportLink,
} from "@plimsoll/registry/logs/queries/log-exports";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { ifWritable } from "@plimsoll/store";
import { byProof } from "../access/public-access.ts";
import { replyOperation, sendReply } from "../http/reply-operation.ts";

/** The operation that sends the file of an exported log. The link works until the whole file was fetched once, or it expires. */
export const exportedLogOperations = [
  replyOperation({
    id: "getExportedLog",
    method: "GET",
    path: "/exportedlogs/{code}",
    secretParams: ["code"],
    summary: "An exported usage log. The link works until the whole log was fetched once.",
    access: byProof("the link of an export"),
    feature: "logExport",
    success: 200,
    withoutHead: true,
    async handle({ params: { code = "" } }, { registry: { store, clock, blobs }, reply }) {
      const fileHash = hashSecret(code);
      const found = await findLogExportFile(store.db, fileHash, clock.now());
      if (found?.digest == null)
        throw notFound(
          "There is no exported log at this address: the link has ended, or the log was fetched already. Export it again",
        );
      const digest = parseDigest(found.digest);
      reply.header("content-type", "application/json");
      reply.header("content-length", String(found.size_bytes));
      reply.header("content-disposition", `attachment; filename="${found.id}.json"`);
      reply.header("cache-control", "no-store");
      const link = { id: found.id, fileHash, response: reply.raw };
      const content = fetchOnce(store.db, link, blobs.read(digest));
      await sendReply(reply, content, { lengthBytes: Number(found.size_bytes) });
      return reply;
    },
  }),
];

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
