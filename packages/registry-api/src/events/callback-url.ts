import type { OperationContext } from "../context.ts";
import { invalidRequest } from "../errors.ts";

/**
 * Checks the address of somebody elsewhere who wants to be told something: HTTP, without credentials, which others would be shown,
 * and at a host that may be asked.
 * @param name for the message: `Invalid ${name}`
 * @throws RegistryError `invalid_request`
 */
export async function checkCallbackUrl({ ports }: OperationContext, name: string, url: string): Promise<void> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol)) throw invalidRequest(`Invalid ${name}`);
  if (parsed.username !== "" || parsed.password !== "") throw invalidRequest(`Invalid ${name}: it holds credentials`);
  await ports.outgoing.check(parsed.hostname);
}
