/**
 * A library that only one adapter needs, which the program that uses this adapter installs: an optional peer dependency.
 * @param loading `import(name)`, at the place of use, so that bundlers find it
 * @throws Error that names the missing package
 */
export async function loadLibrary<Library>(name: string, loading: Promise<Library>): Promise<Library> {
  try {
    return await loading;
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause;
    throw new Error(`This adapter needs the package ${name}, which is not installed: npm install ${name}`, { cause });
  }
}

/** Whether the package itself is missing, not one that it needs. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && String(message).includes(`'${name}'`);
}
