import { documentApi, registerApi } from "@plimsoll/http";
import { indexerOperations } from "@plimsoll/indexer/http";
import { matcherOperations } from "@plimsoll/matcher/http";
import { type ScannerOperation, scannerErrors, scannerErrorTrailer, scannerMediaTypes } from "@plimsoll/scanner-api";
import { stranger, valuesWithStrangers } from "@plimsoll/testing";
import fastify from "fastify";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";

const withBody = [...indexerOperations, ...matcherOperations].filter(({ body }) => body !== undefined);

/** An operation that only keeps what it gets. */
function probe(operation: ScannerOperation, received: unknown[]): ScannerOperation {
  const { id, method, path, summary, refusals, body, internal } = operation;
  const handle = async (input: { readonly body: unknown }) => void received.push(input.body);
  return { id, method, path, summary, refusals, body, internal, success: 204, handle };
}

describe("an operation of the scanner", () => {
  it.each(withBody)("$id gets only what it declares, at every depth", async (operation) => {
    const received: unknown[] = [];
    const face = { errors: scannerErrors, errorTrailer: scannerErrorTrailer("test"), maxBodyBytes: 100_000 };
    const forms = { mediaTypes: scannerMediaTypes("test"), contentTypes: "ignored" } as const;
    await using app = fastify();
    registerApi(app, documentApi([probe(operation, received)], { ...face, ...forms }));
    const accepted = Compile(operation.body ?? {});

    for (const value of valuesWithStrangers(operation.body ?? {})) {
      const { method, path: url } = operation;
      const answer = await app.inject({
        method,
        url,
        headers: { "content-type": "application/json" },
        payload: JSON.stringify(value),
      });

      expect(answer.statusCode, answer.body).toBe(204);
      expect(JSON.stringify(received.at(-1))).not.toContain(stranger);
      expect(accepted.Check(received.at(-1))).toBe(true);
    }
    expect(received).not.toHaveLength(0);
  });
});
