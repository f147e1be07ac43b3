import type { ComponentChildren } from 'preact'

export interface Column<R> {
  title: string
  show: (record: R) => ComponentChildren
  isMuted?: boolean
}

interface RecordTableProps<R> {
  records: readonly R[]
  /** The first column names the record. */
  columns: readonly Column<R>[]
  keyOf: (record: R) => string | number
  /** Heading for screen readers, and the buttons at the end of each row. */
  actions?: { title: string; show: (record: R) => ComponentChildren } | undefined
}

/** Records as lines, which become labeled lines on a narrow screen. */
export const RecordTable = <R,>({ records, columns: [name, ...columns], keyOf, actions }: RecordTableProps<R>) => (
  <div class="card">
    <table class="table stack-table">
      <thead>
        <tr>
          {[name, ...columns].map((column) => (
            <th key={column?.title} scope="col">
              {column?.title}
            </th>
          ))}
          {actions && (
            <th scope="col">
              <span class="sr">{actions.title}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={keyOf(record)}>
            <th scope="row">{name?.show(record)}</th>
            {columns.map(({ title, show, isMuted }) => (
              <td key={title} data-th={title} class={isMuted ? 'muted' : undefined}>
                {show(record)}
              </td>
            ))}
            {actions && (
              <td class="end">
                <span class="row">{actions.show(record)}</span>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
