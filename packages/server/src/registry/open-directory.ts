import { X509Certificate } from "node:crypto";
import type { Directory } from "@plimsoll/registry";
import { ldapDirectory } from "@plimsoll/registry-adapters/ldap";
import { UsageError } from "../cli/exit-code.ts";
import { readGivenFile } from "../config/read-given-file.ts";
import type { RegistryServiceSettings } from "../config/registry-settings.ts";

/** Opens the directory of the settings. @throws UsageError if the file of certificate authorities cannot be read */
export async function openDirectory({
  caFile,
  ...options
}: NonNullable<RegistryServiceSettings["ldap"]>): Promise<Directory> {
  return ldapDirectory({ ...options, authorities: caFile === undefined ? undefined : await readCertificates(caFile) });
}

async function readCertificates(file: string): Promise<string> {
  const text = await readGivenFile("ldapCa", file);
  try {
    new X509Certificate(text);
    return text;
  } catch (error) {
    throw new UsageError(`ldapCa: ${file}: expected certificates in PEM`, { cause: error });
  }
}
