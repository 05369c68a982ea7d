import type { Operation } from "@plimsoll/http";
import { serverDocument } from "../serve/server-documents.ts";
import type { Readiness } from "./readiness.ts";

/**
 * The health checks of the reference registry, on the port of the API. Load balancers that were set up for it read the status. `instance` and
 * `endtoend` (and the older paths of both) are 503 while requests cannot be answered, `warning` while something fails without which requests
 * are answered. The response names what is checked, without the reasons of failures.
 * @see https://github.com/quay/quay/blob/master/endpoints/web.py
 */
export function referenceHealth(readiness: () => Promise<Readiness>): readonly Operation[] {
  return checks.map(({ id, path, summary, select }) =>
    serverDocument({
      id,
      method: "GET",
      path,
      summary,
      success: 200,
      async handle(_, { reply }) {
        const services = select(await readiness());
        const status = Object.values(services).every(Boolean) ? 200 : 503;
        const body = { data: { services }, status_code: status };
        return reply.code(status).header("cache-control", "no-store").send(body);
      },
    }),
  );
}

/** Whether each service works, by its name. */
type Services = Readonly<Record<string, boolean>>;

const needed = ({ isReady, states, stopping }: Readiness): Services => ({
  registry: isReady && stopping === undefined,
  ...namedStates(states.filter(({ isNeeded }) => isNeeded)),
});

const others = ({ states }: Readiness): Services => namedStates(states.filter(({ isNeeded }) => !isNeeded));

const checks = [
  { id: "getInstanceHealth", path: "/health/instance", summary: "Whether this process can work.", select: needed },
  { id: "getHealthOfInstance", path: "/health", summary: "The same.", select: needed },
  { id: "getEndToEndHealth", path: "/health/endtoend", summary: "Whether the service can work.", select: needed },
  { id: "getStatus", path: "/status", summary: "The same.", select: needed },
  { id: "getHealthWarnings", path: "/health/warning", summary: "Whether all of it works.", select: others },
] as const;

/** The names of the reference for the services that it has, too. */
const referenceNames: Readonly<Record<string, string>> = { blobs: "storage", directory: "auth" };

function namedStates(states: Readiness["states"]): Services {
  return Object.fromEntries(
    states.map(({ name, failure }) => [referenceNames[name] ?? name.replaceAll(" ", "_"), failure === undefined]),
  );
}
