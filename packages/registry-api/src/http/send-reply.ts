import type { OutgoingHttpHeaders } from "node:http";
import { type BodyFrame, type SentBody, sendBody } from "@plimsoll/http";
import type { FastifyReply } from "fastify";

/**
 * Sends a body as a reply of Fastify, with the status and the headers of the reply.
 * @throws errors of {@link sendBody}; before the first byte, the caller can still send an error
 */
export async function sendReply(reply: FastifyReply, body: SentBody, frame: Omit<BodyFrame, "head">): Promise<void> {
  await sendBody(reply.raw, body, { ...frame, head: () => writeReplyHead(reply) });
  if (!reply.sent) reply.hijack(); // the client has left before the first byte
}

/** Writes the head of a reply. The caller writes the body. */
export function writeReplyHead(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
}
