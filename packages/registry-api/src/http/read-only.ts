import { RegistryError } from "@plimsoll/registry/errors";
import type { RegistrySettings } from "@plimsoll/registry/settings";

/** The message that refuses changes. */
export const readOnlyMessage = "The registry is read-only at the moment: it can be read, and takes no changes";

/** Refuses a change while the registry is read-only. @throws RegistryError `read_only` */
export function checkWritable({ readOnly }: Pick<RegistrySettings, "readOnly">): void {
  if (readOnly) throw new RegistryError("read_only", readOnlyMessage, { details: { is_readonly: true } });
}
