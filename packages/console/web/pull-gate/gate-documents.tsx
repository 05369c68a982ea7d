import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Digest } from "../shared/digest.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type JudgedDocument = ResultOf<"GET /repository/{repository}/manifest/{manifestref}/pullgate">["documents"][number];

const words = texts.pullGate.documents;

/** The VEX documents of an image, and whether they count for the pull gates. */
export function GateDocuments({ repository, digest }: { readonly repository: string; readonly digest: string }) {
  const gate = useOperation("GET /repository/{repository}/manifest/{manifestref}/pullgate", {
    params: { repository, manifestref: digest },
  });
  return (
    <>
      <p>{words.about}</p>
      <Answered query={gate}>
        {({ documents }) => (
          <Table
            columns={columns}
            rows={documents}
            keyOf={({ document, artifact }) => `${artifact} ${document}`}
            empty={words.none}
          />
        )}
      </Answered>
    </>
  );
}

function standingText({ counts, by = "", reason = "" }: JudgedDocument["organization"]): string {
  return counts ? words.counts(by) : words.ignored(reason);
}

const columns: readonly Column<JudgedDocument>[] = [
  { title: words.columns.document, isName: true, cell: ({ document }) => <Digest digest={document} /> },
  { title: words.columns.organization, isText: true, cell: ({ organization }) => standingText(organization) },
  { title: words.columns.repository, isText: true, cell: ({ repository }) => standingText(repository) },
];
