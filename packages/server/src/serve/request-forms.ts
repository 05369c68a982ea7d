import type { Json } from "@plimsoll/core/report";
import type { RemoteService } from "./call-service.ts";
import type { BodyForm } from "./service-documents.ts";

/**
 * The forms of a request body of the contract: with the media type of the installation's vendor, and as plain JSON for a service of another
 * vendor. The contract names the first; a service may refuse the second with 415.
 * @param type the name in the media type: `manifest`
 */
export function formsOf({ vendor }: RemoteService, type: string, body: Json): readonly BodyForm[] {
  const plain = { body };
  return vendor === undefined ? [plain] : [{ contentType: `application/vnd.${vendor}.${type}.v1+json`, body }, plain];
}
