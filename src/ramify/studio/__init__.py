"""The studio: a table, a tree and its edits in the browser, on this machine.

- `server.py` has the routes, `security.py` who may use them, `page.py` the page from its parts.
- `session.py` is what the windows work on; `project.py` the file that keeps it.
- `data.py` reads and prepares the table, `growing.py` grows a tree, `editing.py` changes it,
  `judging.py` scores it, `shipping.py` gives it away, `code.py` writes the command line and the
  script of what was clicked, `jobs.py` runs what takes long.
- `page/` has the scripts of the page; those that show a tree are the report's.

Imports everything below the command line, which starts it. Nothing else uses it.
"""
