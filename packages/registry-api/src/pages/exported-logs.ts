import { parseDigest } from "@plimsoll/core/digest";
import { hashSecret } from "@plimsoll/registry/crypto/secrets";
import { notFound } from "@plimsoll/registry/errors";
import { findLogExportFile } from "@plimsoll/registry/logs/queries/log-exports";
import { byProof } from "../access/public-access.ts";
import { replyOperation } from "../http/reply-operation.ts";
import { sendReply } from "../http/send-reply.ts";
import { fetchOnce } from "../logs/fetch-once.ts";

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
