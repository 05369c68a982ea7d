import { Component, type ReactNode } from "react";
import { useLocation } from "wouter";
import { Account } from "./account/account.tsx";
import { useRegistryConfig } from "./api/registry-config.ts";
import { Explorer } from "./explorer/explorer.tsx";
import { FirstSteps } from "./first-steps/first-steps.tsx";
import { Home } from "./home/home.tsx";
import { Image } from "./images/image.tsx";
import { Namespace } from "./namespaces/namespace.tsx";
import { type Place, placeOf } from "./places.ts";
import { Repository } from "./repositories/repository.tsx";
import { SearchPage } from "./search/search-page.tsx";
import { Failure } from "./shared/failure.tsx";
import { Lazily } from "./shared/lazily.tsx";
import { useQuery } from "./shared/search-param.ts";
import { PasswordQuestion } from "./shell/password-question.tsx";
import { Shell } from "./shell/shell.tsx";
import { UnknownPage } from "./shell/unknown-page.tsx";
import { texts } from "./texts/texts.ts";

const loadAdmin = async () => (await import("./admin/admin.tsx")).Admin;

/** The console: the page of the current address in the common frame. */
export function App() {
  const [path] = useLocation();
  const query = useQuery();
  const config = useRegistryConfig();
  if (config.data?.first_user !== undefined) return <FirstSteps config={config.data} />;
  return (
    <PasswordQuestion>
      <Shell>
        <PageBoundary address={`${path}?${query}`}>
          <Page place={placeOf(path)} />
        </PageBoundary>
      </Shell>
    </PasswordQuestion>
  );
}

const loadVulnerability = async () => (await import("./vulnerabilities/vulnerability.tsx")).Vulnerability;

function Page({ place }: { readonly place: Place }) {
  switch (place.kind) {
    case "home":
      return <Home />;
    case "search":
      return <SearchPage />;
    case "account":
      return <Account />;
    case "admin":
      return (
        <Lazily name="admin" load={loadAdmin}>
          {(Admin) => <Admin />}
        </Lazily>
      );
    case "explorer":
      return <Explorer />;
    case "vulnerability":
      return (
        <Lazily name="vulnerability" load={loadVulnerability}>
          {(Vulnerability) => <Vulnerability key={place.id} id={place.id} />}
        </Lazily>
      );
    case "namespace":
      return <Namespace key={place.namespace} {...place} />;
    case "repository":
      return <Repository key={`${place.namespace}/${place.repository}`} {...place} />;
    case "image":
      return <Image {...place} />;
    case "unknown":
      return <UnknownPage />;
  }
}

interface Props {
  /** The address of the page: another one is tried anew. */
  readonly address: string;
  readonly children: ReactNode;
}

interface State {
  readonly hasFailed: boolean;
}

/**
 * A page, or an error in its place where showing it throws: the frame with its links stays. A class, since React has no other form for it.
 */
class PageBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override componentDidUpdate({ address }: Props): void {
    if (this.state.hasFailed && address !== this.props.address) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return <Failure error={new Error(texts.failure.notShown)} retry={() => window.location.reload()} />;
  }
}
