import { useState } from "react";
import { useCurrentUser } from "../api/current-user.ts";
import { listRepos } from "../api/generated/repository.ts";
import { useOperation } from "../api/use-operation.ts";
import { Robots } from "../robots/robots.tsx";
import { Answered } from "../shared/answered.tsx";
import { Lazily } from "../shared/lazily.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { Teams } from "../teams/teams.tsx";
import { texts } from "../texts/texts.ts";
import { RepositoryTable } from "./repository-table.tsx";

/** A user's or an organization's namespace: its repositories, and for those who administer it teams, robots and the usage log. */
export function Namespace({ namespace }: { readonly namespace: string }) {
  const user = useCurrentUser().data;
  const [view] = useSearchParam("view");
  const organization = user?.organizations?.find(({ name }) => name === namespace);
  const isAdmin = user?.username === namespace || organization?.is_org_admin === true;
  const isOrganization = organization !== undefined;
  const tabs = tabsOf({ isAdmin, isOrganization });
  const current = (view in tabs ? view : "repositories") as View;
  return (
    <>
      <h1>{namespace}</h1>
      {isAdmin && <Tabs label={namespace} tabs={tabs} current={current} />}
      <ViewOf view={current} namespace={namespace} isOrganization={isOrganization} />
    </>
  );
}

type View = keyof typeof texts.namespace.tabs;

function tabsOf({ isAdmin, isOrganization }: { readonly isAdmin: boolean; readonly isOrganization: boolean }) {
  const { repositories, teams, robots, permissions, applications, policies, logs } = texts.namespace.tabs;
  if (!isAdmin) return { repositories };
  return isOrganization
    ? { repositories, teams, robots, permissions, applications, policies, logs }
    : { repositories, robots, policies, logs };
}

const loadApplications = async () => (await import("../applications/applications.tsx")).Applications;
const loadLog = async () => (await import("../logs/usage-log.tsx")).UsageLog;
const loadPolicies = async () => (await import("./namespace-policies.tsx")).NamespacePolicies;
const loadPermissions = async () => (await import("../permissions/default-permissions.tsx")).DefaultPermissions;

interface ViewProps {
  readonly view: View;
  readonly namespace: string;
  readonly isOrganization: boolean;
}

function ViewOf({ view, namespace, isOrganization }: ViewProps) {
  switch (view) {
    case "repositories":
      return <Repositories namespace={namespace} />;
    case "teams":
      return <Teams organization={namespace} />;
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
    case "policies":
      return (
        <Lazily name="namespace-policies" load={loadPolicies}>
          {(Policies) => <Policies namespace={namespace} isOrganization={isOrganization} />}
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

function Repositories({ namespace }: { readonly namespace: string }) {
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined]);
  const [filter, setFilter] = useSearchParam("filter");
  return (
    <>
      <input
        type="search"
        aria-label={texts.namespace.filter}
        placeholder={texts.namespace.filter}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      {pages.map((page, index) => (
        <RepositoryPage
          key={page ?? ""}
          namespace={namespace}
          page={page}
          filter={filter}
          onMore={index === pages.length - 1 ? (next) => setPages([...pages, next]) : undefined}
        />
      ))}
    </>
  );
}

interface PageProps {
  readonly namespace: string;
  readonly page: string | undefined;
  readonly filter: string;
  readonly onMore: ((next: string) => void) | undefined;
}

function RepositoryPage({ namespace, page, filter, onMore }: PageProps) {
  const shown = { namespace, public: true, last_modified: true, popularity: true };
  const query = page === undefined ? shown : { ...shown, next_page: page };
  return (
    <Answered query={useOperation(listRepos, { query })}>
      {({ repositories, next_page: next }) => (
        <>
          {repositories.length === 0 ? (
            <p className="empty">{texts.namespace.none}</p>
          ) : (
            <RepositoryTable repositories={repositories.filter(({ name }) => name.includes(filter.toLowerCase()))} />
          )}
          {next !== undefined && onMore !== undefined && (
            <button type="button" onClick={() => onMore(next)}>
              {texts.namespace.more}
            </button>
          )}
        </>
      )}
    </Answered>
  );
}
