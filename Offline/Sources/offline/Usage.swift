// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The text of `offline help`.
enum Usage {
    static let version = Library.version

    static let text = """
        offline downloads files, streams (HLS, DASH) and the media of web pages, to play them
        without a network.

        offline serve [--port NUMBER] [--allow-private] [--no-browser]
                      [--lan [--tls-certificate FILE --tls-key FILE]]
                      [--join nats://HOST:PORT [--space NAME] [--join-credentials FILE]]
                      [--on-ready PROGRAM [--on-ready-argument TEXT]...]
            Opens the library in your browser. Downloads continue while this runs. With --lan,
            phones and other computers of your network can use it, each after you let it in.
            With --join, several machines with a library tell each other of finished and
            failed downloads, and hand each other addresses.
        offline get ADDRESS... [-f FILE] [-o DIR] [--quality best|1080p|audio]
                    [--audio LANG,…] [--subtitles LANG,…|all|none]
                    [--chapters FROM-TO]
                    [--wait] [--again] [--allow-private] [--on any|NAME]
                    [--live [--for 2h]]
                    [--header 'NAME: VALUE']... [--referrer ADDRESS]
                    [--cookies FILE | --cookies-from-browser firefox[:PROFILE]]
                    [--proxy ADDRESS] [--limit 2M] [--checksum sha256:…]
            Downloads files, streams or the films of pages, or continues interrupted
            downloads. With yt-dlp installed, it finds the films of many more sites. With
            --live it records a live stream until the stream ends or you press Ctrl-C. Of a
            feed or a playlist of links (M3U, PLS, XSPF) it keeps ten entries once. With
            --on, a machine of the household (serve --join) keeps them, or any one that is
            free.
        offline inspect ADDRESS [--json] [--quality best|1080p|audio] [--audio LANG,…]
                        [--subtitles LANG,…|all|none] [--chapters FROM-TO]
                        [--allow-private]
                        [--live [--for 2h]]
                        [--header 'NAME: VALUE']... [--referrer ADDRESS]
                        [--cookies FILE | --cookies-from-browser firefox[:PROFILE]]
                        [--proxy ADDRESS] [-o DIR]
            Shows what `get` with the same options would fetch, and stores nothing: the
            qualities, languages and size, the media of a page, and why something is refused.
        offline list [WORDS...] [--collection NAME] [--json]
            Lists the items of the library, or those with all of these words in their title,
            address or file name, or in their text or subtitles.
        offline refresh [--import] [--remove-missing] [--yes]
            Compares the library with the disk. Deletes no files. With --import, adds files that
            the list does not know. Films play after a check: of up to 100 at once, of more in
            the background of `offline serve`, which also makes their pictures. Exits with 1 if
            a file could not be imported or cannot be played; the others are imported.
        offline verify [NUMBER...] [--accept-subtitles] [--json]
            Reads every byte of the finished files and of the subtitles beside them, and reports
            damaged and missing ones. Changes no file. The first run records checksums, with
            which later ones compare; that of a film's subtitles is recorded earlier, when they
            are written or imported.
        offline export FILE | -
            Writes the library as text: items, chapters, collections, followed feeds and
            settings, without the files and without secrets.
        offline import FILE | - [--allow-private]
            Adds the items, collections, feeds and settings of such a text that the library
            does not have. Files in the library's folder count as ready. No download of an
            item starts by itself. Private addresses stay permitted only with --allow-private.
        offline pause NUMBER... | --all
            Pauses downloads and keeps their data.
        offline stop NUMBER...
            Stops recordings of live streams and makes their files.
        offline resume NUMBER... | --all
            Queues paused, failed and missing items again; with --all the paused ones.
        offline retry NUMBER... | --all | NUMBER --address ADDRESS
            The same, with --all the failed ones; or one item with a new address for an
            expired one. The received data is kept if it is the same.
        offline cancel NUMBER...
            Ends downloads and removes their data and their items.
        offline move NUMBER top|up|down|bottom|before NUMBER
            Moves an item in the order in which the waiting ones are downloaded.
        offline show NUMBER [--json]
            Shows all facts of an item: its file, tracks, subtitles, chapters and notes.
        offline open NUMBER [--folder]
            Opens the file of an item, or shows it in the file manager; without a desktop,
            prints its path.
        offline rename NUMBER TITLE
            Gives an item another title, and its file and subtitles the name of it.
        offline remove NUMBER... [--with-file]
            Removes items. Keeps their files unless you add --with-file.
        offline follow ADDRESS [--keep 10] [--pages] [--allow-private]
                       [--header 'NAME: VALUE']... [--referrer ADDRESS]
                       [--cookies FILE | --cookies-from-browser firefox[:PROFILE]]
                       [--proxy ADDRESS] [--limit 2M]
            Keeps the newest entries of a podcast, another feed (RSS, Atom, JSON Feed) or a
            playlist of links (M3U, PLS, XSPF). While `offline serve` runs, new entries are
            downloaded and older ones removed.
        offline following [--check] [--json]
            Lists the followed feeds. With --check it first looks for new entries.
        offline unfollow NUMBER...
            Stops following feeds. Keeps their files.
        offline keep NUMBER...
            Keeps items that a feed would remove for newer ones.
        offline settings [NAME [VALUE]]
            Shows the settings of all downloads, or changes one at once: downloads (auto or
            1 to 16 at a time), per-host (auto, or 1 to 16 downloads and connections to one
            server), limit (none, or bytes per second such as 2M), hours (always, or such
            as 23:00-07:00); and what is kept unless a command says otherwise: quality
            (best, a height such as 720p, or audio), audio (all, or languages such as
            en,German), subtitles (all, none, or languages). Notifications: notify (all, or
            failures alone), notify-on (desktop, or page for open pages alone).
        offline collections [NAME] [--json]
            Lists the collections, or the items of one in its order.
        offline collections add NAME NUMBER...
            Adds items at the end of a collection; makes it if there is none of this name.
        offline collections remove NAME NUMBER...
            Takes items out of a collection; they stay in the library.
        offline collections rename NAME NEW
            Gives a collection another name.
        offline collections delete NAME
            Deletes a collection; its items stay in the library.
        offline devices [--json]
            Lists the devices that may use the library with `offline serve --lan`, and those
            that wait to be let in.
        offline devices add
            Prints an address and its QR code, with which one device can ask to be let in
            within ten minutes.
        offline devices allow|refuse CODE
            Lets in the device that shows this code, or refuses it.
        offline devices remove NUMBER
            Removes a device: it can no longer use the library.
        offline reports [--json]
            Lists the errors and crashes on this machine.
        offline reports show ID [--json]
            Shows one report; --json includes the content to send.
        offline reports send
            Sends the reports now, if you have given consent.
        offline reports delete ID | --all
            Deletes one report or all reports.
        offline reports consent given|revoked
            Allows or forbids to send reports. Without consent nothing is sent.
        offline completion bash|zsh|fish
            Prints a script that completes commands and options in a shell.
        offline manual
            Prints the manual page.
        offline diagnostics crash [WAY] [--yes]
            Crashes intentionally, to test the crash reports. Ways: fatal-error,
            bad-pointer, abort, nil, range, overflow, stack.

        --library DIR     the folder of the files (default: ~/Videos/Offline)
        --sentry DSN      the destination of reports: Sentry, GlitchTip or Bugsink
                          (or OFFLINE_SENTRY_DSN; without one, reports stay here)
        --help            explain all commands, or the one before it
        --version         print the version
        --port NUMBER     listen on this port instead of 8420 or the next free one
        --no-browser      print the address of the library instead of opening it
        --lan             let phones and other computers of your network use the library
        --tls-certificate FILE
                          encrypt their connections with this certificate (PEM)
        --tls-key FILE    the private key of the certificate (PEM, without a password)
        --join nats://HOST:PORT
                          join the libraries of other machines through this NATS server, or
                          tls://HOST:PORT for an encrypted connection
        --space NAME      the name that these libraries share (default: home)
        --join-credentials FILE
                          the token of the server, or a file of NATS's own tools (.creds)
        -f FILE           take the addresses from a list, one in each line (-: from the
                          standard input); # begins a comment
        --on-ready PROGRAM
                          run this program for each item that becomes ready, without a shell,
                          with OFFLINE_FILE, OFFLINE_TITLE, OFFLINE_ADDRESS and OFFLINE_ID in
                          its environment, for at most five minutes
        --on-ready-argument TEXT
                          pass this argument to the program of --on-ready
        -o DIR            copy each file and its subtitles into this folder, too, and wait for
                          them; files there are never replaced
        --quality best|1080p|audio
                          the size of the picture, or the sound alone; the nearest one
                          with a note if the stream does not have it (default: best,
                          or the one of `offline settings`)
        --audio LANG,…    keep the sound in these languages, such as en,German (default: all)
        --subtitles LANG,…|all|none
                          keep the subtitles in these languages (default: all)
        --chapters FROM-TO
                          keep only these chapters, such as 2-4, or this time, such as
                          00:10:00-00:20:00, from the key frame before it on
        --json            print JSON, for programs
        --wait            show the progress until the file is complete; exit with 0 only then,
                          with 130 after Ctrl-C, which keeps the data
        --again           create a second item for the same address
        --on any|NAME     have this machine of the household keep it, or the first free one
        --live            record a live stream, as far as it is still listed and from now on
        --for TIME        record this much of it, such as 90s, 30m, 2h or 1h30m
        --keep N          keep the newest N entries of a feed
        --pages           also keep the media of pages to which entries of a feed lead
        --check           look for new entries of the feeds first
        --collection NAME
                          list the items of this collection, in its order
        --all             apply the command to all items or reports that it concerns
        --address ADDRESS
                          download the item from this address from now on
        --folder          show the file in the file manager instead of opening it
        --with-file       delete the files of the items, too
        --accept-subtitles
                          record changed and missing subtitles as they are now, after you have
                          edited or removed them
        --import          add the files without an item to the library
        --remove-missing  remove the items whose file is missing
        --allow-private   also download from private addresses, such as a home server
        --header 'N: V'   send this header to the server of the address, and to no other;
                          other users can see it while the command runs
        --cookies FILE    send the cookies of a cookies.txt that belong to the address
        --cookies-from-browser firefox
                          send the cookies that Firefox has of the address
        --referrer ADDRESS
                          name this page as the one that leads to the address
        --proxy ADDRESS   download through http://HOST:PORT, https:…, socks5:… or socks5h:…
        --limit 2M        receive at most so many bytes per second of each address, or none; a
                          recording is never slowed down
        --checksum sha256:…
                          keep the file only with this checksum (or md5, sha1, sha512)
        --yes             confirm flagging more than half of the library as missing, or
                          the crash

        OFFLINE_DIAGNOSTICS=on|off|errors records everything, nothing, or errors only. NO_COLOR=1
        prints QR codes without colors.
        """
}
