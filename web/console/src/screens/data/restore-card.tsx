import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { Icon } from '../../parts/icon'
import { showToast } from '../../state/toast'
import { Consequences } from './consequences'
import { readExportsAgain, startRestore } from './requests'
import { texts } from './texts/texts'

export function RestoreCard() {
  const [file, setFile] = useState<File>()
  return (
    <section class="card pad stack" aria-labelledby="data-restore">
      <h2 class="h3" id="data-restore">
        {texts.restore.title}
      </h2>
      <p class="sm muted">{texts.restore.hint}</p>
      <div class="row">
        <label class="btn">
          <Icon name="upload" />
          {texts.restore.choose}
          <input
            class="sr"
            type="file"
            accept=".zip,application/zip"
            onChange={({ currentTarget }) => {
              setFile(currentTarget.files?.[0])
              currentTarget.value = ''
            }}
          />
        </label>
      </div>
      {file && (
        <AskDialog
          title={texts.restore.ask(file.name)}
          action={texts.restore.action}
          failed={texts.restore.failed}
          onClose={() => setFile(undefined)}
          onAct={async () => {
            await startRestore(file)
            await readExportsAgain()
            showToast(texts.restore.started)
          }}
        >
          <Consequences lines={texts.restore.consequences} />
        </AskDialog>
      )}
    </section>
  )
}
