import type { Readable } from "node:stream";
import { askForBody } from "@plimsoll/http";
import { invalidRequest, RegistryError } from "@plimsoll/registry/errors";
import { turnOfBody } from "@plimsoll/store";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Reads the body of a request whose caller is admitted. @returns undefined if it has none @throws RegistryError `too_large` */
export async function readAdmittedBody(
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (request.body === undefined) return undefined;
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  askForBody({ request: request.raw, response: reply.raw });
  const body = await readUpTo(request.body as Readable, maxBytes).catch(() => {
    throw invalidRequest("The connection ended before the body did");
  });
  if (body === undefined) throw tooLarge(maxBytes);
  return body;
}

async function readUpTo(source: Readable, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  await turnOfBody(sizeBytes);
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): RegistryError {
  return new RegistryError("too_large", `The body is too large: expected at most ${maxBytes} bytes`);
}
