import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where a generated client sends its requests, and with which headers. */
export interface ClientSettings {
  BASE: string;
  HEADERS?: Readonly<Record<string, string>>;
}

/** An operation of a generated client: its parameters by name in camel case, the body as `requestBody` or `body`. */
export type ClientOperation = (parameters?: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** A client whose source was generated from a description of an API. */
export interface GeneratedClient {
  readonly settings: ClientSettings;
  /** The operations by id. */
  readonly operations: ReadonlyMap<string, ClientOperation>;
}

/**
 * Generates the source of a client from an OpenAPI 3 or Swagger 2 document with a widely used code generator, and loads it.
 * An error response is thrown.
 */
export async function generateClient(document: object): Promise<GeneratedClient> {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-client-"));
  try {
    const input = join(folder, "document.json");
    const output = join(folder, "client");
    await writeFile(input, JSON.stringify(document));
    const generator = createRequire(import.meta.url).resolve("openapi-typescript-codegen/bin/index.js");
    const words = ["--input", input, "--output", output, "--client", "fetch", "--useOptions"];
    await promisify(execFile)(process.execPath, [generator, ...words]);
    const client = (await import(/* @vite-ignore */ join(output, "index.ts"))) as GeneratedModule;
    return { settings: client.OpenAPI, operations: operationsOf(client) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface GeneratedModule {
  readonly OpenAPI: ClientSettings;
  /** Classes whose static methods are the operations, and models. */
  readonly [name: string]: unknown;
}

function operationsOf(client: GeneratedModule): ReadonlyMap<string, ClientOperation> {
  const services = Object.entries(client).filter(([name]) => name.endsWith("Service"));
  return new Map(
    services.flatMap(([, service]) =>
      Object.getOwnPropertyNames(service)
        .map((name) => [name, (service as Readonly<Record<string, unknown>>)[name]] as const)
        .filter((found): found is readonly [string, ClientOperation] => typeof found[1] === "function"),
    ),
  );
}
