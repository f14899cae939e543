import file from '../../../data/sales-starter.json' with { type: 'json' }
import type { Describe } from '../describe.ts'
import type { Sale } from '../sales-book.ts'

/** The sales that come with the project: a few that were widely published. */
export const starterSales = (describe: Describe): Sale[] =>
  file.sales.map(({ domain, price, date, source }) => {
    // Each domain is a label right below its TLD, so the first dot ends the label.
    const dot = domain.indexOf('.')
    return { ...describe({ label: domain.slice(0, dot), tld: domain.slice(dot + 1) }), domain, price, date, source }
  })
