import { isObject } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { PackageRepository } from "../../model/package.ts";
import { maxReleaseFileBytes } from "./assignments.ts";
import { type FileProblems, noteProblem } from "./file-problems.ts";
import { decodeText } from "./text.ts";

/** Ubuntu's services with security fixes after standard support. Their names are the keys of the repositories. */
export const esmServices = ["esm-infra", "esm-infra-legacy", "esm-apps"] as const;

const esmRepositories = {
  "esm-infra": { name: "Ubuntu Pro: ESM Infra", uri: "https://esm.ubuntu.com/infra/ubuntu" },
  "esm-infra-legacy": { name: "Ubuntu Pro: ESM Infra Legacy", uri: "https://esm.ubuntu.com/infra-legacy/ubuntu" },
  "esm-apps": { name: "Ubuntu Pro: ESM Apps", uri: "https://esm.ubuntu.com/apps/ubuntu" },
} as const satisfies Readonly<Record<(typeof esmServices)[number], unknown>>;

/**
 * Finds the repositories of Ubuntu's expanded security maintenance to which the image subscribes, according to
 * `ubuntu-advantage/status.json`: `{"services": [{"name": "esm-infra", "status": "enabled"}]}`. Never throws.
 * @see https://documentation.ubuntu.com/pro-client/en/latest/
 */
export function findEsm(bytes: Uint8Array, problems: FileProblems): readonly Omit<PackageRepository, "id">[] {
  const services = readServices(bytes, problems);
  const enabled = esmServices.filter((name) => services.some((service) => isEnabled(service, name)));
  return enabled.map((key) => ({ key, ...esmRepositories[key] }));
}

function readServices(bytes: Uint8Array, problems: FileProblems): readonly Json[] {
  if (bytes.length > maxReleaseFileBytes) {
    noteProblem(problems, 0, `expected at most ${maxReleaseFileBytes} bytes, found ${bytes.length}`);
    return [];
  }
  try {
    const status: Json = JSON.parse(decodeText(bytes));
    const services = isObject(status) ? status.services : undefined;
    if (Array.isArray(services)) return services;
    noteProblem(problems, 0, "expected a list of services, found none");
  } catch (error) {
    noteProblem(problems, 0, `expected JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return [];
}

function isEnabled(service: Json, name: string): boolean {
  return isObject(service) && service.name === name && service.status === "enabled";
}
