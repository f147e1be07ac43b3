import {
  BACKSLASH_CODE,
  CLOSE_BRACE_CODE,
  CLOSE_BRACKET_CODE,
  COLON_CODE,
  COMMA_CODE,
  OPEN_BRACE_CODE,
  OPEN_BRACKET_CODE,
  QUOTE_CODE,
} from '../text/json'
import { FileProblem, longRowError } from './problem'
import { findClosingQuote, isStructuralCode } from './structure'

interface MemberScannerOptions {
  /** Members whose text is passed on. */
  names: ReadonlySet<string>
  /** Limit of a value, or of an item of an array, in characters. */
  maxLength: number
  /** Receives the text of a value. Each item of an array is a value of its own. */
  take(name: string, text: string): void
}

/** Cuts a JSON object into the values of its members as the text arrives. */
export class MemberScanner {
  readonly #options: MemberScannerOptions
  // Text from the beginning of the current value. Positions below are indexes into the buffer.
  #buffer = ''
  #at = 0
  #valueFrom = 0
  #stringFrom = 0
  #inString = false
  #key = ''
  #name = ''
  #isArray = false
  #depth = 0
  #hasEnded = false
  #taken = 0

  constructor(options: MemberScannerOptions) {
    this.#options = options
  }

  push(text: string): void {
    this.#buffer += text
    this.#scan()
    const from = this.#isSkipped ? this.#skippedLength() : this.#valueFrom
    if (this.#buffer.length - from > this.#options.maxLength) throw this.#longValueError()
    this.#buffer = this.#buffer.slice(from)
    this.#at -= from
    this.#valueFrom -= from
    this.#stringFrom -= from
  }

  end(): void {
    if (!this.#hasEnded) throw new FileProblem('not_json', 'The JSON file is not closed. Send the whole file.')
  }

  get #isSkipped(): boolean {
    return this.#name !== '' && !this.#options.names.has(this.#name)
  }

  /** The backslashes at the end of the text stay, because they tell whether the next quote is escaped. */
  #skippedLength(): number {
    let length = this.#buffer.length
    while (this.#inString && this.#buffer.charCodeAt(length - 1) === BACKSLASH_CODE) length--
    return length
  }

  #scan(): void {
    for (; this.#at < this.#buffer.length; this.#at++) {
      if (this.#inString) {
        this.#at = findClosingQuote(this.#buffer, this.#at)
        if (this.#at === this.#buffer.length) return
        this.#inString = false
        if (this.#depth === 1 && this.#name === '') this.#key = this.#buffer.slice(this.#stringFrom, this.#at + 1)
        continue
      }
      const sign = this.#buffer.charCodeAt(this.#at)
      if (this.#hasEnded && this.#buffer[this.#at]?.trim() !== '')
        throw new FileProblem('not_json', 'The JSON file continues after its end. Send one JSON document.')
      if (isStructuralCode(sign)) this.#takeSign(sign)
    }
  }

  #takeSign(sign: number): void {
    if (sign === QUOTE_CODE) {
      this.#inString = true
      this.#stringFrom = this.#at
    } else if (sign === COLON_CODE) {
      if (this.#depth === 1 && this.#name === '') this.#beginValue()
    } else if (sign === COMMA_CODE) {
      if (this.#depth === 1) this.#endMember()
      else if (this.#depth === 2 && this.#isArray) this.#endValue()
    } else if (sign === OPEN_BRACE_CODE || sign === OPEN_BRACKET_CODE) {
      this.#depth++
      if (this.#depth === 2 && sign === OPEN_BRACKET_CODE) {
        this.#isArray = true
        this.#valueFrom = this.#at + 1
      }
    } else if (sign === CLOSE_BRACE_CODE || sign === CLOSE_BRACKET_CODE) this.#close()
  }

  #beginValue(): void {
    try {
      this.#name = JSON.parse(this.#key)
    } catch {
      throw new FileProblem('not_json', 'A key of the JSON file is not text. Send the file as the product wrote it.')
    }
    this.#valueFrom = this.#at + 1
  }

  #close(): void {
    if (this.#depth === 2 && this.#isArray) this.#endValue()
    else if (this.#depth === 1) {
      this.#endMember()
      this.#hasEnded = true
    }
    this.#depth--
  }

  #endMember(): void {
    if (!this.#isArray) this.#endValue()
    this.#isArray = false
    this.#name = ''
    this.#valueFrom = this.#at + 1
  }

  #endValue(): void {
    const text = this.#isSkipped ? '' : this.#buffer.slice(this.#valueFrom, this.#at)
    this.#valueFrom = this.#at + 1
    if (this.#name === '' || text.trim() === '') return
    if (text.length > this.#options.maxLength) throw this.#longValueError()
    this.#taken++
    this.#options.take(this.#name, text)
  }

  #longValueError(): FileProblem {
    return longRowError(this.#taken + 1, this.#options.maxLength, '. Shorten the text.')
  }
}
