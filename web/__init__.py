"""The web app: Flask answers requests, Tornado owns the sockets and the event streams.

A page is one blueprint in `web/pages` and one folder of templates. Pages read the table through its
views and write to it through requests; `rendering.screens` decides what a page shows, `security`
and `browsers` which requests are let in. `web.app` puts a table's pages together; the page of a
floor (`web.floor`) is another program's, which need not load those.
"""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())  # Until the program sets it up.
