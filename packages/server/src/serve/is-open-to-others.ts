import type { ServiceSettings } from "../config/service-settings.ts";

/**
 * Whether others than programs of this host may use the scanner's API, and nobody asks them who they are: whoever knows the digest
 * of an image can then read, replace and delete what is known of it.
 */
export function isOpenToOthers({ host, auth }: Pick<ServiceSettings, "host" | "auth">): boolean {
  return auth === undefined && !/^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);
}
