import { showSearch } from './search.ts'
import { showTryIt } from './try-it.ts'

showSearch()
showTryIt()
