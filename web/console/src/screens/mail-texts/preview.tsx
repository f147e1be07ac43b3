import type { Operations } from 'groundwork-client'
import { useEffect, useState } from 'preact/hooks'
import { client } from '../../api/client'
import { Failure } from '../../parts/failure'
import { KINDS, type Kind, type Templates } from './kinds'
import { texts } from './texts/texts'

type Sample = Operations['previewMail']['data']

const PAUSE_MS = 500
const READER = 'Ada'

interface PreviewProps {
  kind: Kind
  templates: Templates
}

/** The service writes the sample, with the texts that are not saved yet. */
export function Preview({ kind, templates }: PreviewProps) {
  const [sample, setSample] = useState<Sample>()
  const [error, setError] = useState<unknown>()
  const wanted = JSON.stringify([kind, templates])
  useEffect(() => {
    let isOver = false
    const { sample: kinds } = KINDS[kind]
    const timer = setTimeout(async () => {
      try {
        const body = { firstName: READER, mailTemplates: templates, ...(kinds && { kinds: [...kinds] }) }
        const made = await client.previewMail({ body })
        if (isOver) return
        setSample(made)
        setError(undefined)
      } catch (cause) {
        if (!isOver) setError(cause)
      }
    }, PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [wanted])
  return (
    <section class="stack tight" aria-labelledby="mail-preview">
      <h2 class="h4" id="mail-preview">
        {texts.preview}
      </h2>
      {error !== undefined && <Failure title={texts.previewFailed} error={error} />}
      {sample && (
        <div class="mail-sample stack tight">
          <p class="b wrap-text">{sample.subject}</p>
          <p class="lines wrap-text">{sample.text}</p>
        </div>
      )}
    </section>
  )
}
