"""What people wrote of the stall's task; `stall` puts the figures in."""

PROMPT = """Please do the week's takings of the stall from sales.xlsx; read notice.md as well.

I want takings.xlsx: the sheet Sales as it is, first; then a sheet Takings with one row for each
sale, under the headings Day, Item, Units, Price and Takings (EUR), Takings as a live formula; then
a sheet Summary with the headings Item, Units sold and Takings of the week, the label Total takings
with the sum, the name TotalTakings for that cell, and a column chart of the takings by item. Freeze
the heading of Takings and put a filter on it; mark sales over 60 EUR by a conditional format. The
file must show its values when it is opened again.

And note.docx: under the headings Result and Reason, say the total and why it rose.
"""

RUBRIC = """fields:
  day: {names: [Day, Date], as: date}
  item: {names: [Item, Product]}
  units: {names: [Units], as: number}
  price: {names: [Price], as: number}
  takings: {names: [Takings (EUR), Takings], as: number, unit: EUR}
  units_sold: {names: [Units sold], as: number}
  week: {names: [Takings of the week], as: number, unit: EUR}
  total: {names: [Total takings], as: number, unit: EUR}
items:
- id: R01
  says: takings.xlsx and note.docx were handed over and open.
  dimension: structure
  level: core
  check: {files: {want: {takings.xlsx: xlsx, note.docx: docx}}}
- id: R02
  says: Sales is unchanged and stands first.
  dimension: integration
  level: important
  check: {unchanged: {input: sales.xlsx, first: true}}
- id: R03
  says: Each sale's takings are right, as a live formula.
  dimension: calculation
  level: core
  check: {column: {sheet: Takings, key: [day, item], column: takings,
                   table: expected/sales.csv#takings, tol: 0.01, formula: true}}
- id: R04
  says: The summary has units and takings of each item.
  dimension: calculation
  level: core
  check: {cell: {sheet: Summary, all: [
    {find: {item: Tea}, column: week, equals: TEA},
    {find: {item: Coffee}, column: week, equals: COFFEE},
    {find: {item: Cake}, column: week, equals: CAKE},
    {find: {item: Tea}, column: units_sold, equals: TEAS},
    {find: {item: Coffee}, column: units_sold, equals: COFFEES},
    {find: {item: Cake}, column: units_sold, equals: CAKES}]}}
- id: R05
  says: Total takings are SUM.
  dimension: calculation
  level: core
  check: {label: {sheet: Summary, all: [{label: total, equals: SUM, tol: 0.01}], formula: true}}
- id: R06
  says: A column chart shows the takings by item.
  dimension: presentation
  level: important
  check: {charts: {sheet: Summary, all: [{values: expected/items.csv#week, type: column}]}}
- id: R07
  says: Takings has a frozen heading, a filter and a conditional format.
  dimension: engineering
  level: auxiliary
  check: {view: {sheets: [Takings], has: [freeze, filter, cf]}}
- id: R08
  says: TotalTakings names the total.
  dimension: engineering
  level: auxiliary
  check: {names: {are: {TotalTakings: SUM}}}
- id: R09
  says: The note has the headings Result and Reason.
  dimension: presentation
  level: important
  check: {outline: {file: note.docx, has: [Result, Reason]}}
- id: R10
  says: The note says the total.
  dimension: domain
  level: important
  screen: {figures: {file: note.docx, all: [{is: SUM, digits: 4}]}}
  truth: Total takings are SUM.
- id: R11
  says: The note says that the price of tea rose on 4 July.
  dimension: domain
  level: important
  truth: Tea costs 2.80 from 4 July (notice.md).
- id: R12
  says: Every sale has its row, and no other.
  dimension: structure
  level: important
  check: {rows: {sheet: Takings, key: [day, item], are: expected/sales.csv}}
- id: R13
  says: Units and prices stand beside each sale.
  dimension: calculation
  level: important
  check: {column: {sheet: Takings, key: [day, item], column: price,
                   table: expected/sales.csv#price}}
- id: R14
  says: The units of each sale stand beside it.
  dimension: integration
  level: auxiliary
  check: {column: {sheet: Takings, key: [day, item], column: units,
                   table: expected/sales.csv#units}}
- id: R15
  says: Prices follow the raw sheet.
  dimension: engineering
  level: important
  check: {whatif: {set: {"Sales!C2": 111}, then: [
    {sheet: Takings, find: {day: 2024-07-01, item: Tea}, column: takings, equals: 277.50}]}}
"""

FAULTS = """new_price_ignored:
  kind: slip
  says: The price from 4 July is ignored.
  edits: [{set_cell: {at: "Rules!B2", to: 2.50}}, {recalculate: {}}]
  fails: [R03, R04, R05, R13]
  spares: [R01, R02, R12]
caches_stripped:
  kind: damage
  says: No formula has a value.
  edits: [{strip_caches: {}}]
  fails: [R03, R04, R05, R12]
sales_sorted:
  kind: damage
  says: The raw sheet is sorted by units.
  edits: [{sort_rows: {sheet: Sales, by: C}}]
  fails: [R02]
chart_picture:
  kind: damage
  says: The chart is a picture.
  edits: [{chart_to_picture: {sheet: Summary}}]
  fails: [R06]
  spares: rest
unfrozen:
  kind: damage
  says: The heading scrolls away.
  edits: [{unfreeze: {sheet: Takings}}]
  fails: [R07]
name_missing:
  kind: damage
  says: TotalTakings is gone.
  edits: [{set_name: {name: TotalTakings, to: null}}]
  fails: [R08]
heading_missing:
  kind: damage
  says: The note has no Reason.
  edits: [{drop_section: {file: note.docx, heading: Reason}}]
  fails: [R09]
note_wrong:
  kind: damage
  says: The note's total is three per cent too high.
  edits: [{scale_figure: {file: note.docx, has: Total takings, by: 1.03}}]
  fails: [R10]
note_missing:
  kind: damage
  says: There is no note.
  edits: [{drop_file: {file: note.docx}}]
  fails: [R01, R09, R10]
units_pasted:
  kind: damage
  says: The units are values.
  edits: [{paste_values: {sheet: Takings, column: C}}]
  fails: [R15]
  spares: rest
sale_missing:
  kind: damage
  says: A sale has no row.
  edits: [{drop_rows: {sheet: Takings, rows: [9]}}]
  fails: [R12, R14]
nothing_on_tea:
  kind: damage
  says: The note does not say why.
  edits: [{drop_paragraph: {file: note.docx, has: Tea costs}}]
  judged: [R11]
"""

HAND = """R10:
  by: a stallholder
  hash: HASH-R10
  reference: &total
    verdict: pass
    because: It says the total.
    cited: [{at: "note.docx#para=2", reads: "SUM"}]
  reference-2: *total
  faults:
    note_wrong:
      verdict: fail
      because: It says another total.
      cited: [{at: "note.docx#para=2", reads: Total takings}]
R11:
  by: a stallholder
  hash: HASH-R11
  reference: &tea
    verdict: pass
    because: It names the price and the day.
    cited: [{at: "note.docx#para=4", reads: 4 July}]
  reference-2: *tea
  faults:
    nothing_on_tea:
      verdict: fail
      because: Nothing is said of tea.
      cited: [{at: note.docx}]
      searched: [note.docx]
"""

REVIEW = """readers: [{who: a reader, kind: model, profession: stallholder, day: 2024-07-08}]
one_reading: {holds: true, note: The notice is dated.}
items: {holds: true, note: Each was counted again.}
fairness: {holds: true, note: The prompt names the notice.}
references: {holds: true, note: Both add up.}
mended: []
"""

TASK = """title: A stall's week
domain: business
wants: {takings.xlsx: xlsx, note.docx: docx}
workflow: {product: a spreadsheet, user: a stallholder, why: the week is over}
canary: stall-canary
"""
