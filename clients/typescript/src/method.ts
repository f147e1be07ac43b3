/** The method of most operations follows from the first word of the id. */
export const methodOfName = (id: string): string =>
  /^(get|list|export|download)/.test(id) ? 'get' : /^modify/.test(id) ? 'put' : /^remove/.test(id) ? 'delete' : 'post'
