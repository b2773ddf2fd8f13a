// Keeps what it drew as long as `of`, which stands for all that it shows, stays the same: a long list
// of which little changes costs little.
import { Component, type ComponentChildren } from 'preact';

interface StillProps {
  of: string;
  draw: () => ComponentChildren;
}

export class Still extends Component<StillProps> {
  override shouldComponentUpdate(next: StillProps) {
    return next.of !== this.props.of;
  }

  override render() {
    return this.props.draw();
  }
}
