import type { ResultOf } from "../api/operation.ts";
import { usePages } from "../api/use-pages.ts";
import { Paged } from "../shared/paged.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";
import type { ShownImage } from "./shown-image.ts";

type Label = ResultOf<"GET /repository/{repository}/manifest/{manifestref}/labels">["labels"][number];

const words = texts.image.labels;

/** The labels of an image or image index: those of its build, and those that were added in the registry. */
export function LabelList({ repository, digest }: ShownImage) {
  const labels = usePages("GET /repository/{repository}/manifest/{manifestref}/labels", {
    params: { repository, manifestref: digest },
    query: {},
  });
  return (
    <Paged query={labels}>
      {(pages) => (
        <Table
          columns={columns}
          rows={pages.flatMap((page) => page.labels)}
          keyOf={({ id }) => id}
          empty={words.none}
        />
      )}
    </Paged>
  );
}

const columns: readonly Column<Label>[] = [
  { title: words.key, isName: true, cell: ({ key }) => key },
  { title: words.value, isText: true, cell: ({ value }) => value },
  { title: words.source, cell: ({ source_type: source }) => words.sources[source] },
];
