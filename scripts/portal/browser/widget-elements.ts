type Content = Node | string

export function createElement<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: Content[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

export const createLink = (address: string, ...children: Content[]): HTMLAnchorElement =>
  createElement('a', { href: address, target: '_blank', rel: 'noopener' }, ...children)
