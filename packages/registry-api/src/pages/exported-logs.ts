import { Readable } from "node:stream";
import { parseDigest } from "@plimsoll/core";
import { byProof } from "../access/public-access.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { notFound } from "../errors.ts";
import { replyOperation } from "../http/reply-operation.ts";
import { findLogExportFile } from "../logs/queries/log-exports.ts";

/** The file of an exported log, for those who were sent its link. */
export const exportedLogOperations = [
  replyOperation({
    id: "getExportedLog",
    method: "GET",
    path: "/exportedlogs/{code}",
    secretParams: ["code"],
    summary: "An exported usage log.",
    access: byProof("the link of an export"),
    feature: "logExport",
    success: 200,
    withoutHead: true,
    async handle({ params: { code = "" } }, { registry: { store, ports }, reply }) {
      const found = await findLogExportFile(store.db, hashSecret(code), ports.clock.now());
      if (found?.digest == null || ports.blobs === undefined) throw notFound();
      const digest = parseDigest(found.digest);
      reply.header("content-type", "application/json");
      reply.header("content-length", String(found.size_bytes));
      reply.header("content-disposition", `attachment; filename="${found.id}.json"`);
      reply.header("cache-control", "no-store");
      return reply.send(Readable.from(ports.blobs.read(digest)));
    },
  }),
];
