# SPDX-License-Identifier: Apache-2.0
"""Runs Bugsink with one project on the loopback: `bugsink_server.py FOLDER`.

Prints a JSON object with the `dsn`. For each line on stdin, the program prints the stored events. The program exits
when stdin closes, which happens with the end of the parent process.
"""

import io
import json
import os
import pathlib
import sys
import threading


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "judging_conf.py").write_text(SETTINGS)
    sys.path.insert(0, str(folder))
    os.environ["DJANGO_SETTINGS_MODULE"] = "judging_conf"
    os.environ["BUGSINK_FOLDER"] = str(folder)
    # Only answers go to standard output, and Bugsink's output goes to standard error.
    answers, sys.stdout = sys.stdout, sys.stderr

    import django
    django.setup()
    from django.core.management import call_command
    for database in ("default", "snappea"):
        call_command("migrate", database=database, run_syncdb=True, verbosity=0, stdout=io.StringIO())
    from django.contrib.auth import get_user_model
    from events.models import Event
    from phonehome.models import Installation
    from projects.models import Project
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    get_user_model().objects.create_user("judge", password=None)
    # The only row that a migration adds to a new database.
    Installation.objects.create(next_quota_check=1)
    project = Project.objects.create(name="judged")
    from bugsink.wsgi import application
    server = ThreadedWSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
    server.daemon_threads = True
    server.set_app(application)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def answer(value):
        print(json.dumps(value), file=answers, flush=True)

    answer({"dsn": f"http://{project.sentry_key.hex}@127.0.0.1:{server.server_port}/{project.id}"})
    for _ in sys.stdin:
        answer([
            {"id": event.event_id.hex, "title": event.title(), "data": json.loads(event.data),
             "release": event.release, "environment": event.environment, "level": event.level,
             "issue": str(event.issue_id)}
            for event in Event.objects.order_by("digest_order")
        ])
    os._exit(0)


SETTINGS = '''
import os
from bugsink.settings.default import *

_folder = os.environ["BUGSINK_FOLDER"]


class _NoMigrations:
    """Makes the tables from the models: a new database needs none of their earlier forms."""

    def __contains__(self, _):
        return True

    def __getitem__(self, _):
        return None


MIGRATION_MODULES = _NoMigrations()
SECRET_KEY = "not a secret, as there is no login"
DATABASES["default"]["NAME"] = _folder + "/db.sqlite3"
DATABASES["snappea"]["NAME"] = _folder + "/snappea.sqlite3"
for _database in DATABASES.values():
    # The database is deleted after the test, so nothing has to reach the disk.
    _database["OPTIONS"]["init_command"] = "PRAGMA synchronous = OFF"
    _database["OPTIONS"]["timeout"] = 60
# The test machine may be busy.
DATABASES["default"]["OPTIONS"]["query_timeout"] = 60
# Stores each posted event before the response.
SNAPPEA = {"TASK_ALWAYS_EAGER": True}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
ALLOWED_HOSTS = ["127.0.0.1"]
BUGSINK = {
    "BASE_URL": "http://127.0.0.1",
    "SINGLE_USER": True,
    "PHONEHOME": False,
    "VALIDATE_ON_DIGEST": "strict",
    "INGEST_STORE_BASE_DIR": _folder + "/ingestion",
}
'''

if __name__ == "__main__":
    main()
