import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileProblem } from "@plimsoll/core";
import { type Directory, ldapDirectory } from "@plimsoll/registry-api";
import { UsageError } from "../cli/exit-code.ts";
import type { RegistryServiceSettings } from "../config/registry-settings.ts";

/** The directory of the settings. @throws UsageError for authorities that cannot be read */
export function openDirectory({ caFile, ...options }: NonNullable<RegistryServiceSettings["ldap"]>): Directory {
  return ldapDirectory({ ...options, ...(caFile !== undefined && { authorities: readCertificates(caFile) }) });
}

function readCertificates(file: string): string {
  const text = read(file);
  try {
    new X509Certificate(text);
    return text;
  } catch (error) {
    throw new UsageError(`ldapCa: ${file}: expected certificates in PEM`, { cause: error });
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`ldapCa: ${fileProblem(file, "read", error)}`, { cause: error });
  }
}
