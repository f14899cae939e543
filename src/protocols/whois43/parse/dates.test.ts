import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { parseDate } from './dates.ts'

const DATES: readonly (readonly [string, string])[] = [
  ['2025-06-01T08:15:00Z', '2025-06-01T08:15:00Z'],
  ['2025-06-01T08:15:00.5Z', '2025-06-01T08:15:00.500Z'],
  ['2019-08-12T10:52:01-0700', '2019-08-12T17:52:01Z'],
  ['2011-03-30T19:36:27+02:00', '2011-03-30T17:36:27Z'],
  ['2012-06-19 10:13:30+03', '2012-06-19T07:13:30Z'],
  ['2011-01-23 00:00:07 +02:00', '2011-01-22T22:00:07Z'],
  ['2021-11-09 00:00:00 (UTC+8)', '2021-11-08T16:00:00Z'],
  ['1999-06-07 13:01:43 (GMT+0:00)', '1999-06-07T13:01:43Z'],
  ['07-01-1998 00:00:00 GMT+1', '1998-01-06T23:00:00Z'],
  ['2002-10-22 17:48:23 CLST', '2002-10-22T20:48:23Z'],
  ['2018/12/01 01:01:57 (JST)', '2018-11-30T16:01:57Z'],
  ['2011.03.17 22:40:46 MSK/MSD', '2011-03-17T19:40:46Z'],
  ['2012. 05. 19.', '2012-05-19T00:00:00Z'],
  ['2001-Aug-23.', '2001-08-23T00:00:00Z'],
  ['2004年7月30日', '2004-07-30T00:00:00Z'],
  ['20230303 06:35:33', '2023-03-03T06:35:33Z'],
  ['20010919 #645178', '2001-09-19T00:00:00Z'],
  ['0-UANIC 20050621185743', '2005-06-21T18:57:43Z'],
  ['registrar AT ns.example 19960111 (Assigned)', '1996-01-11T00:00:00Z'],
  ['15-Jan-2008 11:28:02 UTC', '2008-01-15T11:28:02Z'],
  ['13-mar-2007', '2007-03-13T00:00:00Z'],
  ['02-Mar-99', '1999-03-02T00:00:00Z'],
  ['21-March-2002', '2002-03-21T00:00:00Z'],
  ['8 Oct 2004', '2004-10-08T00:00:00Z'],
  ['28th April 2014', '2014-04-28T00:00:00Z'],
  ['30th April 2003 at 00:00:00.000', '2003-04-30T00:00:00Z'],
  ['Wednesday 17th September 2003', '2003-09-17T00:00:00Z'],
  ['Wed Mar 27 00:00:00 GMT 2002', '2002-03-27T00:00:00Z'],
  ['Tue Feb  9 23:59:00 2027', '2027-02-09T23:59:00Z'],
  ['Thu Aug 03 2006', '2006-08-03T00:00:00Z'],
  ['May 21 2002', '2002-05-21T00:00:00Z'],
  ['23 de agosto de 2012', '2012-08-23T00:00:00Z'],
  ['21.07.2000 15:21:00', '2000-07-21T15:21:00Z'],
  ['7.6.2013', '2013-06-07T00:00:00Z'],
  ['27/07/2000', '2000-07-27T00:00:00Z'],
  ['12/01/2011', '2011-01-12T00:00:00Z'],
  ['27-05-1999', '1999-05-27T00:00:00Z'],
  ['05/13/2009', '2009-05-13T00:00:00Z'],
  ['13/04/2010 09:28:42 EEST', '2010-04-13T06:28:42Z'],
  ['01/02/2024 03:04:05 PM', '2024-02-01T15:04:05Z'],
  ['before Aug-1996', '1996-08-01T00:00:00Z'],
  ['before 1 January 1996', '1996-01-01T00:00:00Z'],
  ['before 01.01.1996', '1996-01-01T00:00:00Z'],
  ['Before 2001', '2001-01-01T00:00:00Z'],
]

for (const [text, moment] of DATES) test(`${text} is ${moment}`, () => assert.equal(parseDate(text), moment))

test('with month-first order the first number is the month, unless it is above 12', () => {
  assert.equal(parseDate('01/08/2005', 'month first'), '2005-01-08T00:00:00Z')
  assert.equal(parseDate('28/02/2005', 'month first'), '2005-02-28T00:00:00Z')
})

test('text without a date is undefined', () => {
  const texts = [
    '',
    '-',
    'null',
    'N/A',
    'not defined',
    '31.02.2020',
    '2020-13-01',
    '2020-00-10',
    '12:30',
    '192.0.2.1',
    '+1.2083895740',
    '99999999',
    'May',
    '3.14.15.92',
  ]
  for (const text of texts) assert.equal(parseDate(text), undefined, text)
})

test('any time that a registry can write is parsed exactly', () => {
  const moments = fc.date({
    min: new Date(Date.UTC(1985, 0, 1)),
    max: new Date(Date.UTC(2099, 0, 1)),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moments, (moment) => {
      const iso = moment.toISOString()
      assert.equal(parseDate(iso), iso.replace('.000Z', 'Z'))
      const [date = '', time = ''] = `${iso.slice(0, 19)}Z`.split('T')
      const [year, month, day] = date.split('-')
      const expected = `${date}T${time}`
      assert.equal(parseDate(`${day}.${month}.${year} ${time}`), expected)
      assert.equal(parseDate(`${year}${month}${day} ${time}`), expected)
      assert.equal(parseDate(`${year}/${month}/${day} ${time}`), expected)
    }),
  )
})
