import packageJson from "../../package.json" with { type: "json" };

/** The version of this release. */
export const productVersion: string = packageJson.version;
