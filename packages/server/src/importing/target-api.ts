import type { OperatedRegistry } from "@plimsoll/registry-api";
import { NotImported, type WritingApi } from "./management-api.ts";
import { messageOf } from "./source-api.ts";

/** The management API of this registry. @param isDryRun whether requests that change something are skipped */
export function targetApi(
  operated: Pick<OperatedRegistry, "call">,
  { isDryRun }: { readonly isDryRun: boolean },
): WritingApi {
  return {
    async get(path) {
      const { status, body } = await operated.call("GET", path);
      if (status === 404) return undefined;
      if (status !== 200) throw new NotImported(messageOf(body));
      return body;
    },
    async send(method, path, given) {
      if (isDryRun) return undefined;
      const { status, body } = await operated.call(method, path, given);
      if (status < 200 || status > 299) throw new NotImported(messageOf(body));
      return body;
    },
  };
}
