/** Every operation that a server can have, with its row in one of the golden tables. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { readGolden } from "../../packages/registry-api/src/golden/fixtures/read-golden.ts";
import { readProtocols } from "../../packages/registry-api/src/golden/fixtures/read-protocols.ts";

/** The callers of the table, in the order of its columns. */
export const servedCallers = ["open", "beside", "none", "forged", "known"] as const;

/** One of {@link servedCallers}. */
export type ServedCaller = (typeof servedCallers)[number];

/** A row of `served-operations.golden.txt`. */
export interface ServedRow {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly success: number;
  readonly statuses: Readonly<Record<ServedCaller, number>>;
}

/**
 * Reads `served-operations.golden.txt`.
 *
 * row ::= id status{5} success method path ; comments begin with #
 */
export function readServed(): readonly ServedRow[] {
  const text = readFileSync(new URL("served-operations.golden.txt", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [id = "", ...rest] = line.trim().split(/\s+/);
    const [success = "", method = "", path = ""] = rest.slice(servedCallers.length);
    const statuses = servedCallers.map((caller, at) => [caller, Number(rest[at] === "ok" ? success : rest[at])]);
    return { id, method, path, success: Number(success), statuses: Object.fromEntries(statuses) };
  });
}

/** The ids of all operations that have a row in a golden table. */
export function goldenIds(): ReadonlySet<string> {
  return new Set([...readGolden(), ...readProtocols(), ...readServed()].map(({ id }) => id));
}

/** A route of a server: its address, and the operations that it is of. */
export interface ServedRoute {
  readonly url: string;
  readonly operations: readonly string[];
}

/** Notes the routes of all servers that are made until it is disposed of. */
export function noteRoutes(): Disposable & { readonly routes: readonly ServedRoute[] } {
  const routes: ServedRoute[] = [];
  const note = (message: unknown) => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ url, config }) => {
      const { operation, operations = [] } = config ?? {};
      routes.push({ url, operations: operation === undefined ? operations : [operation] });
    });
  };
  subscribe("fastify.initialization", note);
  return { routes, [Symbol.dispose]: () => void unsubscribe("fastify.initialization", note) };
}
