import type { FoundPackage } from "../model/package.ts";

/** Equal for two findings of the same package: same name, version, kind, architecture, module and source. */
export function packageIdentity(found: FoundPackage): string {
  const { name, version, kind, arch = "", module = "", cpe = "", source } = found;
  const own = [name, version, kind, arch, module, cpe];
  return source === undefined ? own.join("\0") : [...own, packageIdentity(source)].join("\0");
}
