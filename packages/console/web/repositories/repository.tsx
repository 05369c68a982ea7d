import { StarFillIcon, StarIcon } from "@primer/octicons-react";
import { useState } from "react";
import { useCurrentUser } from "../api/current-user.ts";
import { useRegistryConfig } from "../api/registry-config.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Rules } from "../ignore-rules/rules.tsx";
import { Answered } from "../shared/answered.tsx";
import type { Typed } from "../shared/change-form.tsx";
import { Command } from "../shared/copy-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { Failure } from "../shared/failure.tsx";
import { Lazily } from "../shared/lazily.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { texts } from "../texts/texts.ts";
import { type RepositoryName, type ShownRepository, shownWithRepository } from "./repository-name.ts";
import { RepositorySettings } from "./repository-settings.tsx";
import { TagHistory } from "./tag-history.tsx";
import { TagList } from "./tag-list.tsx";

/** The page of a repository: tags, history, description, and for its administrators the settings. */
export function Repository({ namespace, repository }: RepositoryName) {
  const name = `${namespace}/${repository}`;
  const found = useOperation("GET /repository/{repository}", {
    params: { repository: name },
    query: shownWithRepository,
  });
  return (
    <>
      <h1>{repository}</h1>
      <Answered query={found}>
        {(shown) => (
          <>
            <Star repository={shown} />
            <PullCommand repository={shown} />
            <Views repository={shown} />
          </>
        )}
      </Answered>
    </>
  );
}

function Views({ repository }: { readonly repository: ShownRepository }) {
  const [view] = useSearchParam("view");
  const features = useRegistryConfig().data?.features;
  const tabs = Object.fromEntries(
    Object.entries(texts.repository.tabs).filter(([name]) => {
      const feature = featureOf[name];
      return (repository.can_admin || !forAdmins.has(name)) && (feature === undefined || features?.[feature] === true);
    }),
  );
  const current = namedOrFirst<ViewName>(tabs, view);
  return (
    <>
      <Tabs label={repository.name} tabs={tabs} current={current} />
      <View view={current} repository={repository} />
    </>
  );
}

type ViewName = keyof typeof texts.repository.tabs;

const forAdmins: ReadonlySet<string> = new Set<ViewName>([
  "permissions",
  "notifications",
  "policies",
  "mirror",
  "logs",
  "settings",
]);

/** The feature of the registry that a view requires. */
const featureOf: Readonly<Record<string, string>> = { builds: "BUILD_SUPPORT", mirror: "REPO_MIRROR" };

const loadBuilds = async () => (await import("../builds/builds.tsx")).Builds;
const loadNotifications = async () => (await import("../notifications/notifications.tsx")).Notifications;
const loadLog = async () => (await import("../logs/usage-log.tsx")).UsageLog;
const loadMarkdown = async () => (await import("../shared/markdown.tsx")).Markdown;
const loadMirror = async () => (await import("../mirrors/mirror.tsx")).Mirror;
const loadPolicies = async () => (await import("./repository-policies.tsx")).RepositoryPolicies;
const loadPermissions = async () => (await import("../permissions/repository-permissions.tsx")).RepositoryPermissions;

interface ViewProps {
  readonly view: ViewName;
  readonly repository: ShownRepository;
}

function View({ view, repository }: ViewProps) {
  const {
    namespace,
    name,
    is_organization: isOrganization,
    can_write: mayWrite,
    can_admin: mayAdminister,
    state,
  } = repository;
  const mayChange = mayWrite && state === "NORMAL";
  switch (view) {
    case "tags":
      return <TagList namespace={namespace} repository={name} mayChange={mayChange} />;
    case "history":
      return <TagHistory namespace={namespace} repository={name} mayChange={mayChange} />;
    case "information":
      return <Description repository={repository} />;
    case "builds":
      return (
        <Lazily name="builds" load={loadBuilds}>
          {(Builds) => <Builds repository={repository} />}
        </Lazily>
      );
    case "permissions":
      return (
        <Lazily name="repository-permissions" load={loadPermissions}>
          {(Permissions) => <Permissions repository={repository} />}
        </Lazily>
      );
    case "notifications":
      return (
        <Lazily name="notifications" load={loadNotifications}>
          {(Notifications) => <Notifications owner={{ namespace, repository: name, isOrganization }} />}
        </Lazily>
      );
    case "policies":
      return (
        <Lazily name="repository-policies" load={loadPolicies}>
          {(Policies) => <Policies repository={repository} />}
        </Lazily>
      );
    case "suppressed":
      return <Rules owner={{ repository: `${namespace}/${name}` }} mayChange={mayAdminister} />;
    case "mirror":
      return (
        <Lazily name="mirror" load={loadMirror}>
          {(Mirror) => <Mirror repository={repository} />}
        </Lazily>
      );
    case "logs":
      return (
        <Lazily name="usage-log" load={loadLog}>
          {(UsageLog) => <UsageLog owner={{ kind: "repository", name: `${namespace}/${name}` }} />}
        </Lazily>
      );
    case "settings":
      return <RepositorySettings repository={repository} />;
  }
}

/** The button that stars a repository, or takes the star away; nothing for anonymous visitors, who have no stars. */
function Star({ repository: { namespace, name, is_starred: isStarred } }: { readonly repository: ShownRepository }) {
  const user = useCurrentUser().data;
  const affected = ["GET /repository/{repository}", "GET /repository"] as const;
  const adding = useChange("POST /user/starred", affected);
  const removal = useChange("DELETE /user/starred/{repository}", affected);
  if (!user) return undefined;
  const toggle = () => {
    if (isStarred) removal.mutate({ params: { repository: `${namespace}/${name}` } });
    else adding.mutate({ body: { namespace, repository: name } });
  };
  const error = adding.error ?? removal.error;
  return (
    <div className="actions">
      <button type="button" aria-pressed={isStarred} disabled={adding.isPending || removal.isPending} onClick={toggle}>
        {isStarred ? <StarFillIcon /> : <StarIcon />} {words.star}
      </button>
      {error !== null && <Failure error={error} />}
    </div>
  );
}

/** The command that pulls from a repository; nothing where there is no tag. */
function PullCommand({ repository: { namespace, name, pull_tag: tag } }: { readonly repository: ShownRepository }) {
  if (tag == null) return undefined;
  const suffix = tag === "latest" ? "" : `:${tag}`;
  return <Command line={`docker pull ${window.location.host}/${namespace}/${name}${suffix}`} />;
}

const words = texts.repository;

/** The description of a repository. Accounts with write permission can change it. */
function Description({ repository }: { readonly repository: ShownRepository }) {
  const [isEditing, setEditing] = useState(false);
  const { description, can_write: mayWrite } = repository;
  if (isEditing) return <DescriptionForm repository={repository} onDone={() => setEditing(false)} />;
  return (
    <>
      {description === "" ? (
        <p className="description">{words.noDescription}</p>
      ) : (
        <Lazily name="markdown" load={loadMarkdown}>
          {(Markdown) => <Markdown text={description} />}
        </Lazily>
      )}
      {mayWrite && (
        <button type="button" onClick={() => setEditing(true)}>
          {words.edit}
        </button>
      )}
    </>
  );
}

interface FormProps {
  readonly repository: ShownRepository;
  readonly onDone: () => void;
}

function DescriptionForm({ repository, onDone }: FormProps) {
  const change = useChange("PUT /repository/{repository}", ["GET /repository/{repository}"]);
  const params = { repository: `${repository.namespace}/${repository.name}` };
  const given = (typed: Typed) => ({ params, body: { description: typed("description") } });
  return (
    <EditForm
      layout="fields"
      label={words.save}
      change={change}
      given={given}
      value={repository}
      fields={({ description }) => (
        <label>
          {words.description}
          <textarea name="description" rows={12} maxLength={25_000} defaultValue={description} />
        </label>
      )}
      onDone={onDone}
      onCancel={onDone}
    />
  );
}
