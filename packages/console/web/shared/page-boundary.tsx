import { Component, type ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import { Failure } from "./failure.tsx";

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
export class PageBoundary extends Component<Props, State> {
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
