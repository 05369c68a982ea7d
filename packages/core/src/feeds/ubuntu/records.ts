import type { AdvisoryRange } from "../../model/advisory.ts";
import { isAbsent, type JsonPlace, memberAt, optionalItemsAt, optionalStringAt } from "../../model/json-place.ts";
import { findOsvEcosystem } from "../osv/ecosystems.ts";
import type { OsvScope, OsvSource } from "../osv/record.ts";
import { readUbuntuPurl } from "./purl.ts";

/**
 * The reading of a record of Ubuntu. Entries of `Ubuntu:Pro:16.04:LTS` also apply to the plain release: its packages are affected up to the
 * same version, but the fix is only for images with the service (`esm-infra`) in the package URL.
 */
export function ubuntuSource(record: JsonPlace): OsvSource {
  const plain = plainEntries(record);
  return {
    updater: "ubuntu",
    wants: (family) => family === "Ubuntu",
    scopesOf: (ecosystem, affected) => scopesOf(ecosystem, affected, plain),
  };
}

const proRelease = /^Ubuntu:Pro:(\d+\.\d+)(?::LTS)?$/;

function scopesOf(ecosystem: string, affected: JsonPlace, plain: ReadonlySet<string>): readonly OsvScope[] {
  const release = proRelease.exec(ecosystem)?.[1];
  if (release === undefined) return [findOsvEcosystem(ecosystem) ?? []].flat();
  const key = `ubuntu:${release}`;
  const place = memberAt(affected, "package");
  const name = memberAt(place, "name").value;
  const service = readUbuntuPurl(optionalStringAt(memberAt(place, "purl")) ?? "")?.key;
  const hasPlainEntry = plain.has(`${key}/${name}`);
  return [
    ...(hasPlainEntry ? [] : [{ key, kind: "SOURCE", rangeOf: withoutFix } as const]),
    ...(service === undefined || service === key ? [] : [{ key: service, kind: "SOURCE" } as const]),
  ];
}

/** The packages of plain releases with their own entry. */
function plainEntries(record: JsonPlace): ReadonlySet<string> {
  const entries = optionalItemsAt(memberAt(record, "affected")).flatMap((affected) => {
    const { value } = affected;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    const place = memberAt(affected, "package");
    if (isAbsent(place) || typeof place.value !== "object" || Array.isArray(place.value)) return [];
    const ecosystem = memberAt(place, "ecosystem").value;
    const key = typeof ecosystem === "string" ? findOsvEcosystem(ecosystem)?.key : undefined;
    return key === undefined ? [] : [`${key}/${memberAt(place, "name").value}`];
  });
  return new Set(entries);
}

/** The same range, with an end that is not a fix: in dpkg's order `1.2+esm1~` is directly below `1.2+esm1`. */
export function withoutFix({ fixed, ...range }: AdvisoryRange): AdvisoryRange {
  return fixed === undefined ? range : { ...range, lastAffected: `${fixed}~` };
}
