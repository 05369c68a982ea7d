import type { ImageManifestRow } from "@plimsoll/registry/content/queries/manifest-content";
import { findImageLicenses, type LicensedPackage } from "@plimsoll/registry/security/image-licenses";
import type { SecurityDeps } from "@plimsoll/registry/security/image-security";
import { type Static, Type } from "typebox";
import { scanStates } from "./report-document.ts";

const Licensed = Type.Object({
  name: Type.String(),
  version: Type.String(),
  purl: Type.String({ description: "Empty if it has none" }),
  license: Type.Union([Type.String(), Type.Null()], {
    description:
      "An SPDX expression of what is stated; LicenseRef-… for words that are not on the SPDX list. Null if nothing is stated",
  }),
  statements: Type.Array(
    Type.Object({ text: Type.String(), path: Type.String({ description: "The file in the image that says so" }) }),
    { description: "What is stated, in its own words" },
  ),
  supplier: Type.Optional(Type.String()),
});

const Licenses = Type.Object({
  licenses: Type.Array(
    Type.Object({ license: Type.String(), packages: Type.Integer({ description: "How many packages name it" }) }),
    { description: "The most frequent first" },
  ),
  packages: Type.Array(Licensed),
  unstated: Type.Integer({ description: "How many packages state no licence" }),
  partial: Type.Boolean({ description: "Whether something in the image could not be read, so that there may be more" }),
});

/** The licences of an image, or the state of its scan. */
export const LicensesDocument = Type.Object({
  status: Type.Enum([...scanStates]),
  data: Type.Union([Licenses, Type.Null()], { description: "Null unless the status is scanned" }),
  reason: Type.Optional(Type.String({ description: "Why the scan failed" })),
});

/** The licences of an image. @throws RegistryError as {@link findImageLicenses} */
export async function viewLicenses(
  deps: SecurityDeps,
  { manifest }: { readonly manifest: ImageManifestRow },
  signal: AbortSignal,
): Promise<Static<typeof LicensesDocument>> {
  const { data, ...state } = await findImageLicenses(deps, manifest, signal);
  if (data === null) return { ...state, data };
  const { licenses, packages, isPartial } = data;
  const unstated = packages.filter(({ license }) => license === undefined).length;
  return {
    ...state,
    data: { licenses: [...licenses], packages: packages.map(viewPackage), unstated, partial: isPartial },
  };
}

function viewPackage({ license, statements, ...same }: LicensedPackage) {
  return { ...same, license: license ?? null, statements: [...statements] };
}
