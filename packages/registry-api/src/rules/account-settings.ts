import { invalidRequest } from "../errors.ts";
import type { RegistrySettings } from "../settings.ts";

/** @throws RegistryError `invalid_request` for a time that the registry does not offer for restoring removed tags */
export function checkTagExpiration({ tagExpirationOptionsSeconds }: RegistrySettings, seconds: number): void {
  if (!tagExpirationOptionsSeconds.includes(seconds)) throw invalidRequest("Invalid tag expiration option");
}
