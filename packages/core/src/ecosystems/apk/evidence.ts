import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are databases of apk at places that the detector does not read. */
export const apkEvidence: readonly EvidenceRule[] = [
  {
    kind: "apk",
    files: ["installed"],
    where: /[^/]\/(?:usr\/)?lib\/apk\/db\/installed$/,
    unless: /^usr\/lib\/apk\/db\/installed$/,
  },
];
