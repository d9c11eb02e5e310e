"""`wsgi:app` for any WSGI server, such as `gunicorn --worker-class gthread --threads 16 wsgi:app`.

Host, port and threads are that server's business here; all other settings come from `ULM_…` variables as usual.
"""

import os
import sys

from server import logs
from server.app import create_app
from server.service.admin import recent_errors
from server.settings import Settings, SettingsError
from server.storage import leases
from server.storage.database import StoreError

try:
    settings = Settings.from_env(os.environ)
    logs.configure(settings.log_level, form=settings.log_format)
    app = create_app(settings)
    recent_errors.record(app.extensions["ulm.store"], leases.new_owner())
except (SettingsError, StoreError) as error:
    sys.exit(f"ulm: {error}")
