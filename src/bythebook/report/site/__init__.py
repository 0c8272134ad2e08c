"""The report as a site: files that any browser opens, from a disk or a server, without a network.

    SITE/
      index.html            the shell; a strict Content-Security-Policy stands in it
      assets/               one style sheet, and plain scripts in the order they are loaded
      data/site.js          evaluations, tasks, every run as a line, tables and figures
      data/task/N.js        rules, procedures and whatever the runs of one task share
      data/run/N.js         one run to be replayed
      images/N/...          pages of what was handed over, where they were asked for

Data are scripts that call one function, since a page opened from a disk may load no other file.
What agents wrote is hostile until shown: it stands in the chunks as JSON text, is read by
`JSON.parse`, and reaches the page as text nodes only.
"""
