import { type Api, registerApi, registerFallback } from "@plimsoll/http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ConsoleFiles } from "./console-files.ts";
import { consoleStages, getConsoleFile, showConsole } from "./operations.ts";

/** The page where visitors create accounts and have their passwords recovered: what an opened registry is told is beside it. */
export const accountPage = "/account";

/** What serving the console depends on. */
export interface ConsoleOptions {
  /** The path prefixes of APIs: a browser that visits an unknown address below one gets the API's own error. */
  readonly apis: readonly string[];
}

/**
 * Serves the console: its page at every address that a browser visits and that leads nowhere else, and its files. Programs get the
 * answers of the APIs, as without a console.
 * @example
 * import fastify from "fastify";
 *
 * declare const files: ConsoleFiles;
 * const app = fastify();
 * registerConsole(app, files, { apis: ["/v2/", "/api/"] });
 * await app.listen({ port: 8080 });
 */
export function registerConsole(app: FastifyInstance, files: ConsoleFiles, { apis }: ConsoleOptions): void {
  const stages = consoleStages(files);
  const isApi = (url: string) => apis.some((prefix) => url.startsWith(prefix));
  registerFallback(app, {
    operation: showConsole,
    stages,
    answers: (request) => isVisit(request) && !isApi(request.url),
  });
  const ofFiles: Api<undefined> = {
    operations: [getConsoleFile],
    stages,
    sendError: (thrown) => {
      throw thrown; // answered as the server answers
    },
    maxBodyBytes: 1,
    bodies: "streamed",
  };
  app.register(async (scope) => registerApi(scope, ofFiles));
}

/** Whether a browser opens a page, and no script or program asks. */
function isVisit({ method, headers }: FastifyRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers.accept?.includes("text/html") ?? false;
}
