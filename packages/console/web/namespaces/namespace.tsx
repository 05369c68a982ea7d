import { useCurrentUser } from "../api/current-user.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { Robots } from "../robots/robots.tsx";
import { Answered } from "../shared/answered.tsx";
import { SearchField } from "../shared/fields.tsx";
import { Lazily } from "../shared/lazily.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { Paged } from "../shared/paged.tsx";
import { useFilter, useOrder, useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { Teams } from "../teams/teams.tsx";
import { texts } from "../texts/texts.ts";
import { NewRepository } from "./new-repository.tsx";
import { RepositoryTable } from "./repository-table.tsx";

/** The page of a user's or an organization's namespace: its repositories, and for its administrators teams, robots, policies and the usage log. */
export function Namespace({ namespace }: { readonly namespace: string }) {
  const visitor = useCurrentUser();
  const user = visitor.data;
  const [view] = useSearchParam("view");
  const organization = user?.organizations?.find(({ name }) => name === namespace);
  const mayCreate = user?.username === namespace || organization?.can_create_repo === true;
  const isAdmin = user?.username === namespace || organization?.is_org_admin === true;
  const isOrganization = organization !== undefined;
  const shown = { namespace, isOrganization, isAdmin, mayCreate };
  const tabs = tabsOf({ isAdmin, isOrganization });
  const current = namedOrFirst<View>(tabs, view);
  return (
    <>
      <h1>{namespace}</h1>
      {Object.keys(tabs).length > 1 && <Tabs label={namespace} tabs={tabs} current={current} />}
      {view === "" ? (
        <RepositoryList {...shown} />
      ) : (
        <Answered query={visitor}>{() => <ViewOf view={current} {...shown} />}</Answered>
      )}
    </>
  );
}

type View = keyof typeof texts.namespace.tabs;

function tabsOf({ isAdmin, isOrganization }: { readonly isAdmin: boolean; readonly isOrganization: boolean }) {
  const { repositories, overview, security, robots, notifications, policies, logs } = texts.namespace.tabs;
  if (!isAdmin) return isOrganization ? { repositories, overview, security } : { repositories };
  return isOrganization
    ? texts.namespace.tabs
    : { repositories, overview, security, robots, notifications, policies, logs };
}

const loadOverview = async () => (await import("../fleet/overview.tsx")).NamespaceOverview;
const loadSecurity = async () => (await import("../fleet/namespace-security.tsx")).NamespaceSecurity;
const loadApplications = async () => (await import("../applications/applications.tsx")).Applications;
const loadLog = async () => (await import("../logs/usage-log.tsx")).UsageLog;
const loadNotifications = async () => (await import("../notifications/notifications.tsx")).Notifications;
const loadMembers = async () => (await import("../organizations/members.tsx")).Members;
const loadSettings = async () => (await import("../organizations/organization-settings.tsx")).OrganizationSettings;
const loadPolicies = async () => (await import("./namespace-policies.tsx")).NamespacePolicies;
const loadPermissions = async () => (await import("../permissions/default-permissions.tsx")).DefaultPermissions;

interface ViewProps {
  readonly view: View;
  readonly namespace: string;
  readonly isOrganization: boolean;
  readonly isAdmin: boolean;
  /** Whether the visitor may create repositories. */
  readonly mayCreate: boolean;
}

function ViewOf({ view, ...shown }: ViewProps) {
  const { namespace, isOrganization, isAdmin } = shown;
  switch (view) {
    case "repositories":
      return <RepositoryList {...shown} />;
    case "overview":
      return (
        <Lazily name="namespace-overview" load={loadOverview}>
          {(Overview) => <Overview namespace={namespace} isOrganization={isOrganization} />}
        </Lazily>
      );
    case "security":
      return (
        <Lazily name="namespace-security" load={loadSecurity}>
          {(Security) => <Security namespace={namespace} isOrganization={isOrganization} isAdmin={isAdmin} />}
        </Lazily>
      );
    case "teams":
      return <Teams organization={namespace} />;
    case "members":
      return (
        <Lazily name="members" load={loadMembers}>
          {(Members) => <Members organization={namespace} />}
        </Lazily>
      );
    case "robots":
      return <Robots namespace={namespace} isOrganization={isOrganization} />;
    case "permissions":
      return (
        <Lazily name="default-permissions" load={loadPermissions}>
          {(Permissions) => <Permissions organization={namespace} />}
        </Lazily>
      );
    case "applications":
      return (
        <Lazily name="applications" load={loadApplications}>
          {(Applications) => <Applications organization={namespace} />}
        </Lazily>
      );
    case "notifications":
      return (
        <Lazily name="notifications" load={loadNotifications}>
          {(Notifications) => <Notifications owner={{ namespace, isOrganization }} />}
        </Lazily>
      );
    case "policies":
      return (
        <Lazily name="namespace-policies" load={loadPolicies}>
          {(Policies) => <Policies namespace={namespace} isOrganization={isOrganization} />}
        </Lazily>
      );
    case "settings":
      return (
        <Lazily name="organization-settings" load={loadSettings}>
          {(Settings) => <Settings organization={namespace} />}
        </Lazily>
      );
    case "logs":
      return (
        <Lazily name="usage-log" load={loadLog}>
          {(UsageLog) => (
            <UsageLog owner={isOrganization ? { kind: "organization", name: namespace } : { kind: "user" }} />
          )}
        </Lazily>
      );
  }
}

const words = texts.namespace;

/** The repositories of a namespace that the visitor can see. The filter is in the address. */
function RepositoryList({ namespace, isOrganization, isAdmin, mayCreate }: Omit<ViewProps, "view">) {
  const filter = useFilter();
  const order = useOrder(["name", "size", "changed"], "name");
  const query = {
    namespace,
    order: order.value,
    find: filter.find,
    total: true,
    public: true,
    last_modified: true,
    daily_pulls: true,
    severities: true,
  };
  return (
    <>
      {mayCreate && <NewRepository namespace={namespace} isOrganization={isOrganization} isAdmin={isAdmin} />}
      <SearchField label={words.filter} value={filter.value} onValue={filter.set} />
      <Paged query={usePages("GET /repository", { query })}>
        {(pages) => {
          const repositories = pages.flatMap((page) => page.repositories);
          if (repositories.length === 0) {
            return <p className="empty">{filter.find ? texts.choice.noneLike(filter.find) : words.none}</p>;
          }
          return (
            <RepositoryTable
              repositories={repositories}
              order={order}
              total={pages[0]?.total}
              mayChange={isAdmin}
              all={() => readAllRows("GET /repository", { query }, (page) => page.repositories)}
            />
          );
        }}
      </Paged>
    </>
  );
}
