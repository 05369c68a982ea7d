import { usePages } from "../api/use-pages.ts";
import type { ShownRepository } from "../repositories/repository-name.ts";
import { Disclosure } from "../shared/disclosure.tsx";
import { Paged } from "../shared/paged.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { Deliveries } from "./deliveries.tsx";
import { NewNotification } from "./new-notification.tsx";
import { NotificationActions } from "./notification-actions.tsx";
import { type Notification, nameOf, receiverOf } from "./shown-notification.ts";

const words = texts.notifications;

/** The notifications of a repository, with the history of the one in the address. */
export function Notifications({ repository }: { readonly repository: ShownRepository }) {
  const name = `${repository.namespace}/${repository.name}`;
  const [chosen, choose] = useSearchParam("notification");
  const notifications = usePages("GET /repository/{repository}/notification/", {
    params: { repository: name },
    query: {},
  });
  const shownName: Column<Notification> = {
    title: words.columns.title,
    isName: true,
    cell: (each) => (
      <Disclosure isOpen={chosen === each.uuid} onToggle={() => choose(chosen === each.uuid ? "" : each.uuid)}>
        {nameOf(each)}
      </Disclosure>
    ),
  };
  const actions: Column<Notification> = {
    title: words.columns.actions,
    cell: (each) => <NotificationActions repository={name} notification={each} onTest={() => choose(each.uuid)} />,
  };
  return (
    <Section title={words.title} about={words.about}>
      <NewNotification repository={repository} />
      <Paged query={notifications}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.notifications);
          const shown = rows.find(({ uuid }) => uuid === chosen);
          return (
            <>
              <Table
                columns={[shownName, ...columns, actions]}
                rows={rows}
                keyOf={({ uuid }) => uuid}
                empty={words.none}
              />
              {shown !== undefined && <Deliveries repository={name} notification={shown} />}
            </>
          );
        }}
      </Paged>
    </Section>
  );
}

const columns: readonly Column<Notification>[] = [
  { title: words.columns.event, cell: ({ event }) => words.events[event as keyof typeof words.events] ?? event },
  { title: words.columns.method, cell: ({ method }) => words.methods[method as keyof typeof words.methods] ?? method },
  { title: words.columns.to, isText: true, cell: receiverOf },
  { title: words.columns.failures, isNumber: true, cell: ({ number_of_failures: count }) => formatCount(count) },
];
