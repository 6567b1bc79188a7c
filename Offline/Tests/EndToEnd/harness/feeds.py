# SPDX-License-Identifier: Apache-2.0
"""Feeds of an origin, with a file for each entry."""


def entry(number, title=None, guid=None, file=None):
    return (f"<item><title>{title or f'Part {number}'}</title><guid isPermaLink='false'>{guid or number}</guid>"
            f"<enclosure url='{file or f'{number}.bin'}' type='application/octet-stream'/></item>")


def feed(*entries, title="Pod"):
    return f"<rss version='2.0'><channel><title>{title}</title>{''.join(entries)}</channel></rss>"


def parts(*numbers):
    return feed(*(entry(number) for number in numbers))


def serve(origin, *documents, **routes):
    """Serves one document after another with the files of the entries, and returns the address."""
    origin.serve({
        "/pod/feed.xml": [each if isinstance(each, dict) else {"text": each} for each in documents],
        **{f"/pod/{number}.bin": {"size": 2_000, "seed": number} for number in range(1, 10)}, **routes})
    return origin.url("/pod/feed.xml")
