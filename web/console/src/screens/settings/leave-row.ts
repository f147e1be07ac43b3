/** Gives the focus to the next row, because the row with the focus goes. */
export function leaveRow(main: HTMLElement | null): void {
  const row = document.activeElement?.closest('tr')
  const near = row?.nextElementSibling ?? row?.previousElementSibling
  const target = near?.querySelector('button') ?? main
  target?.focus()
}
