import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are modules of Perl. */
export const perlEvidence: readonly EvidenceRule[] = [
  { kind: "perl", files: [".packlist"], where: /(?:^|\/)\.packlist$/ },
];
