import { registerApi } from "@plimsoll/http";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { serverDocuments } from "../serve/server-documents.ts";
import { type Dependency, judgeReadiness } from "./readiness.ts";
import { referenceHealth } from "./reference-health.ts";

const database = { name: "database", isNeeded: true } as const;
const blobs = { name: "blobs", isNeeded: true } as const;
const directory = { name: "directory", isNeeded: false } as const;
const works = async () => {};
const fails = () => Promise.reject(new Error("/srv/secret refuses"));

interface Row {
  readonly what: string;
  readonly dependencies: readonly Dependency[];
  readonly stopping?: string;
  readonly ready: readonly [status: number, services: object];
  readonly warning: readonly [status: number, services: object];
}

const allWork = [
  { ...database, check: works },
  { ...blobs, check: works },
  { ...directory, check: works },
];

const rows: readonly Row[] = [
  {
    what: "all works",
    dependencies: allWork,
    ready: [200, { registry: true, database: true, storage: true }],
    warning: [200, { auth: true }],
  },
  {
    what: "the blob store fails",
    dependencies: [
      { ...database, check: works },
      { ...blobs, check: fails },
    ],
    ready: [503, { registry: false, database: true, storage: false }],
    warning: [200, {}],
  },
  {
    what: "the directory fails",
    dependencies: [
      { ...database, check: works },
      { ...directory, check: fails },
    ],
    ready: [200, { registry: true, database: true }],
    warning: [503, { auth: false }],
  },
  {
    what: "the service stops",
    dependencies: allWork,
    stopping: "the service stops",
    ready: [503, { registry: false, database: true, storage: true }],
    warning: [200, { auth: true }],
  },
];

describe("referenceHealth", () => {
  it.each(rows)("answers where $what", async ({ dependencies, stopping, ready, warning }) => {
    const readiness = judgeReadiness({ dependencies, stopping: () => stopping, clock: { now: () => 0 } });
    await using app = fastify();
    const sendError = (thrown: unknown) => {
      throw thrown;
    };
    registerApi(app as never, serverDocuments(referenceHealth(readiness), sendError));

    for (const path of ["/health/instance", "/health", "/health/endtoend", "/status", "/health/warning"]) {
      const [status, services] = path.endsWith("warning") ? warning : ready;
      const response = await app.inject(path);
      expect([path, response.statusCode, response.json()]).toEqual([
        path,
        status,
        { data: { services }, status_code: status },
      ]);
    }
  });
});
