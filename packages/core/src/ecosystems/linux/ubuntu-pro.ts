import type { PackageRepository } from "../../model/package.ts";
import { maxReleaseFileBytes } from "./assignments.ts";
import { type FileProblems, noteProblem } from "./file-problems.ts";
import { decodeText } from "./text.ts";

/** The `key` of the repository with Ubuntu's fixes for the base system after standard support. */
export const esmInfraKey = "esm-infra";

/**
 * The repository of Ubuntu's expanded security maintenance, if `ubuntu-advantage/status.json` says that the image
 * subscribes to it: `{"services": [{"name": "esm-infra", "status": "enabled"}]}`. Never throws.
 * @see https://documentation.ubuntu.com/pro-client/en/latest/
 */
export function findEsmInfra(bytes: Uint8Array, problems: FileProblems): Omit<PackageRepository, "id"> | undefined {
  const services = readServices(bytes, problems);
  if (!services.some((service) => isEnabled(service, esmInfraKey))) return undefined;
  return { name: "Ubuntu Pro: ESM Infra", key: esmInfraKey, uri: "https://esm.ubuntu.com/infra/ubuntu" };
}

function readServices(bytes: Uint8Array, problems: FileProblems): readonly unknown[] {
  if (bytes.length > maxReleaseFileBytes) {
    noteProblem(problems, 0, `expected at most ${maxReleaseFileBytes} bytes, found ${bytes.length}`);
    return [];
  }
  try {
    const status: unknown = JSON.parse(decodeText(bytes));
    const services = isObject(status) ? status.services : undefined;
    if (Array.isArray(services)) return services;
    noteProblem(problems, 0, "expected a list of services, found none");
  } catch (error) {
    noteProblem(problems, 0, `expected JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return [];
}

function isEnabled(service: unknown, name: string): boolean {
  return isObject(service) && service.name === name && service.status === "enabled";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
