import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { metadataText } from "../shared/metadata-text.ts";
import { PageButtons } from "../shared/page-buttons.tsx";
import { pageNumber } from "../shared/page-number.ts";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";

type Notice = ResultOf<"GET /user/notifications">["notifications"][number];

const words = texts.notices;
const { events } = texts.notifications;
const noticesAtOnce = 50;

/** Notices to the visitor that are not dismissed. */
export function Notices() {
  const [pageText, setPage] = useSearchParam("page", "added");
  const page = pageNumber(pageText);
  const notices = useOperation("GET /user/notifications", { query: { page: page - 1, limit: noticesAtOnce } });
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={notices}>
        {({ notifications, additional }) => (
          <>
            <Table columns={columns} rows={notifications} keyOf={({ id }) => id} empty={words.none} />
            <PageButtons page={page} hasMore={additional} onPage={(next) => setPage(String(next))} />
          </>
        )}
      </Answered>
    </Section>
  );
}

function Dismiss({ id }: { readonly id: string }) {
  const change = useChange("PUT /user/notifications/{uuid}", ["GET /user/notifications"]);
  return (
    <ActionButton label={words.dismiss} change={change} given={{ params: { uuid: id }, body: { dismissed: true } }} />
  );
}

const columns: readonly Column<Notice>[] = [
  {
    title: words.columns.what,
    isName: true,
    cell: ({ kind }) => events[kind as keyof typeof events] ?? kind.replaceAll("_", " "),
  },
  { title: words.columns.about, isText: true, cell: metadataText },
  { title: words.columns.when, cell: ({ created }) => <Time at={Date.parse(created)} /> },
  { title: words.columns.actions, cell: ({ id }) => <Dismiss id={id} /> },
];
