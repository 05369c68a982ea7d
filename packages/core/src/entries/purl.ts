/** Package URLs. */
export { formatPurl, type PackageUrl, type Purl, parsePurl } from "../model/purl.ts";
