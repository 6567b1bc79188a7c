// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The text of `offline help`.
enum Usage {
    static let version = Library.version

    static let text = """
        offline keeps files and HLS streams on your disk, to play without a network.

        offline serve [--port NUMBER] [--allow-private] [--no-browser]
            Opens the library in your browser; downloads go on while this runs.
        offline get ADDRESS [--rendition best|720p] [--wait] [--again] [--allow-private]
            Keeps a file or a stream. The same address goes on where it stopped.
        offline list [--json]
            Shows what the library has.
        offline refresh [--import] [--remove-missing] [--yes]
            Compares the library with the disk; deletes nothing by itself.
        offline remove NUMBER [--with-file]
            Forgets an item; its file stays unless you say --with-file.
        offline reports [--json]
            Shows what has failed on this machine, crashes included.
        offline reports show ID [--json]
            Shows all of one report, and what would be sent of it.
        offline reports send
            Sends the reports now, if you have agreed to it.
        offline reports delete ID | --all
            Deletes a report, or all of them.
        offline reports consent given|revoked
            Says whether reports may be sent; nothing is sent before you say so.
        offline diagnostics crash [WAY] [--yes]
            Crashes on purpose, to see what is left of it. Ways: fatal-error,
            bad-pointer, abort, nil, range, overflow, stack.

        --library DIR     the library's folder (usually ~/.local/share/offline)
        --sentry DSN      where reports may be sent: to Sentry, GlitchTip or Bugsink
                          (or OFFLINE_SENTRY_DSN; without it they stay here)
        --wait            show progress until the file is whole; exit code 0 only then
        --again           make a second item of an address that is there already
        --allow-private   fetch also from private addresses, such as a server at home
        --yes             agree to flag more than half of the library as missing, or to
                          crash

        OFFLINE_DIAGNOSTICS=on|off|errors records always, never, or no crashes.
        """
}
