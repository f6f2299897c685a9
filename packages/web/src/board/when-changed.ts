import { Component, type ComponentType, type JSX } from 'preact'

/** A component that is drawn anew only when one of its properties is another one: after a move most of a board stays. */
export function whenChanged<P extends object>(draw: (props: P) => JSX.Element): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const now: P = this.props
      for (const name in next) if (next[name] !== now[name]) return true
      for (const name in now) if (!(name in next)) return true
      return false
    }

    override render(): JSX.Element {
      return draw(this.props)
    }
  }
}
