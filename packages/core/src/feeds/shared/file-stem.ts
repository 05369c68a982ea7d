/** The name of a document without its folders and extension: `CVE-2014-2322` of `gems/x/CVE-2014-2322.yml`. */
export function fileStem(name: string): string {
  const file = name.slice(name.lastIndexOf("/") + 1);
  const dot = file.lastIndexOf(".");
  return dot > 0 ? file.slice(0, dot) : file;
}
