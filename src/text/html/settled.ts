import { type HtmlTree, isElement } from './tree'

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Elements inside a line. Elements of their own kind can stand in them, except links in links. */
const INLINE_ELEMENTS = toSet(
  'a abbr b br cite code del em i img ins kbd mark q s samp small span strike strong sub sup time tt u var',
)
/** Elements that hold lines only. */
const LINE_BLOCKS = toSet('p h1 h2 h3 h4 h5 h6 pre')
/** Elements that hold lines and blocks. */
const FLOW_BLOCKS = toSet('blockquote div figure figcaption section center')
const LISTS = toSet('ul ol')
/** Elements of a table, each with the elements that can hold it. */
const TABLE_PARENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  ...{ thead: toSet('table'), tbody: toSet('table'), tfoot: toSet('table'), tr: toSet('thead tbody tfoot') },
  ...{ td: toSet('tr'), th: toSet('tr') },
}
const TABLE_FRAMES = toSet('table thead tbody tfoot tr')

function isSettledIn(parent: HtmlTree, name: string, isInLink: boolean): boolean {
  const holdsBlocks = ['', 'li', 'td', 'th'].includes(name) || FLOW_BLOCKS.has(name)
  const isFrame = TABLE_FRAMES.has(name)
  return parent.children.every((node) => {
    // A parser moves the words between cells in front of the table.
    if (!isElement(node)) return !isFrame || node.trim() === ''
    if (Object.hasOwn(TABLE_PARENTS, node.name))
      return TABLE_PARENTS[node.name]?.has(name) === true && isSettledIn(node, node.name, isInLink)
    if (isFrame) return false
    const isLink = node.name === 'a'
    if (INLINE_ELEMENTS.has(node.name)) return !(isLink && isInLink) && isSettledIn(node, 'a', isInLink || isLink)
    if (node.name === 'li') return LISTS.has(name) && isSettledIn(node, 'li', isInLink)
    const isBlock =
      LINE_BLOCKS.has(node.name) || FLOW_BLOCKS.has(node.name) || LISTS.has(node.name) || node.name === 'table'
    return isBlock && holdsBlocks && isSettledIn(node, node.name, isInLink)
  })
}

/** True for a tree that a parser reads from its HTML without a change. False does not mean the opposite. Linear. */
export const isSettled = (tree: HtmlTree): boolean => isSettledIn(tree, '', false)
