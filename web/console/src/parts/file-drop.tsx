import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface FileDropProps {
  /** `over` is added while a file is above it. */
  class: string
  /** The endings of the files to choose from, such as `.csv,.json`. */
  accept: string
  isDisabled?: boolean
  onFile: (file: File) => void
  children: ComponentChildren
}

/** Takes one file, by drop or by choice. */
export function FileDrop({ class: name, accept, isDisabled = false, onFile, children }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null | undefined) => files?.[0] && onFile(files[0])
  return (
    <label
      class={isOver ? `${name} over` : name}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!isDisabled) take(event.dataTransfer?.files)
      }}
    >
      {children}
      <input
        class="sr"
        type="file"
        accept={accept}
        disabled={isDisabled}
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}
