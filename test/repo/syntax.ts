import { parseSync } from 'vite'

export interface SyntaxNode {
  type: string
  start: number
  end: number
  regex?: { pattern: string }
  callee?: SyntaxNode
  object?: SyntaxNode
  property?: SyntaxNode
  source?: SyntaxNode
  specifiers?: SyntaxNode[]
  imported?: SyntaxNode
  arguments?: SyntaxNode[]
  name?: string
  value?: unknown
}

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null && 'type' in value

export const parseSource = (name: string, text: string): SyntaxNode => parseSync(name, text).program as SyntaxNode

export function* listNodes(node: SyntaxNode): Generator<SyntaxNode> {
  yield node
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) yield* listNodes(one)
  }
}
