// Provides the bindings to the tests on Node. It runs once, beside the tests.
import type { TestProject } from 'vitest/node'
import { readTestBindings } from '../settings.ts'

export default async function setup(project: TestProject) {
  project.provide('bindings', await readTestBindings())
}
