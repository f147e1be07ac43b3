import { Component, type ComponentType, h } from 'preact'

/** A component that renders again only if one of the properties is another value. For the rows of long lists. */
export function makePure<Props extends object>(shown: ComponentType<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before = this.props as Readonly<Record<string, unknown>>
      return Object.entries(next).some(([name, value]) => before[name] !== value)
    }
    override render() {
      return h(shown, this.props as never)
    }
  }
}
