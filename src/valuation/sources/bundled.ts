import { readFileSync } from 'node:fs'
import { createAppraiser, type Appraiser } from '../appraiser.ts'
import { readModel, type ModelFile } from '../model.ts'
import { readWords, type WordFile, type Words } from '../word-list.ts'

const dataFile = (name: string) => new URL(`../../../data/${name}`, import.meta.url)

/** The words that come with the project. */
export const bundledWords = (): Words => readWords(JSON.parse(readFileSync(dataFile('words.json'), 'utf8')) as WordFile)

/** The appraiser that comes with the project: its words and the model trained by `train:valuation`. */
export function bundledAppraiser(): Appraiser {
  const words = bundledWords()
  const file = JSON.parse(readFileSync(dataFile('valuation-model.json'), 'utf8')) as ModelFile
  return createAppraiser(readModel(file, words), words)
}
