// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// The options of `offline get`.
///
/// To add an option, add a line to the form and a property. `request` passes the value to the
/// `DownloadRequest`.
struct GetOptions: Command {
    static var forms: [CommandForm] {
        Form("get", Self(), help: "Downloads files, streams or the films of pages.")
            .details(
                """
                Continues interrupted downloads. With yt-dlp installed, it finds the films of many \
                more sites. With --live it records a live stream until the stream ends or you \
                press Ctrl-C. Of a feed or a playlist of links (M3U, PLS, XSPF) it keeps ten \
                entries once. With --on, a machine of the household (serve --join) keeps them, or \
                any one that is free.
                """
            )
            .arguments(.webAddress(of: "get"), into: \.addresses, isRequired: false)
            .options([
                .options("-f", .path("FILE"), into: \.lists):
                    "take the addresses from a list, one in each line (-: from the standard "
                    + "input); # begins a comment"
            ])
            .options(folder)
            .options(media)
            .options([
                .flag("--wait", into: \.waits):
                    "show the progress until the file is complete; exit with 0 only then, with 130 "
                    + "after Ctrl-C, which keeps the data",
                .flag("--again", into: \.again): "create a second item for the same address",
                .option("--on", .text("any|NAME", offered: ["any"]), into: \.machine):
                    "have this machine of the household keep it, or the first free one",
            ])
            .options(RequestArguments.table, within: \.requests)
            .options(RequestArguments.limit, within: \.requests)
            .options([
                .option("--checksum", .text("sha256:…"), into: \.requests.texts.checksum):
                    "keep the file only with this checksum (or md5, sha1, sha512)"
            ])
    }

    /// The addresses, perhaps with text around them.
    var addresses: [String] = []
    /// The paths of lists of addresses, of which `-` is the standard input.
    var lists: [String] = []
    var output: String?
    /// The machine of the household that keeps the downloads, `any`, or nil for this machine.
    var machine: String?
    var choice = RequestedChoice()
    /// Whether the command ends with the downloads, even if a server is running.
    var waits = false
    var again = false
    var isLive = false
    var recordedTime: Double?
    var requests = RequestArguments()

    /// The recording of a live stream, or nil without `--live`.
    var live: LiveRecording? { isLive ? LiveRecording(seconds: recordedTime) : nil }

    mutating func check() throws(UsageError) {
        try checkMedia()
        guard !addresses.isEmpty || !lists.isEmpty else {
            throw UsageError("The address is missing. Use: offline get https://…")
        }
        waits = waits || output != nil
        try checkHandover()
    }

    /// Checks the options about the media, which `inspect` takes, too.
    func checkMedia() throws(UsageError) {
        guard !isLive || choice.chapters == nil else {
            throw UsageError(
                "--chapters keeps a part of a film, and --live records a stream that goes on. Use "
                    + "one of them; --for limits a recording."
            )
        }
    }

    var library: LibraryUse { .created }

    func run(in environment: Environment) async throws -> ExitStatus {
        try await GetCommand(self, environment).run()
    }

    /// Returns the request for one of the addresses.
    func request(
        _ address: WebAddress,
        _ options: RequestOptions
    ) throws(UsageError) -> DownloadRequest {
        var request = DownloadRequest(
            .address(address),
            choice: choice,
            allowsPrivateAddresses: requests.allowsPrivateAddresses,
            again: again
        )
        request.live = live
        do {
            try request.setOptions(options)
        } catch {
            throw UsageError(error.message)
        }
        return request
    }
}

extension GetOptions {
    /// The folder of the copies, which `inspect` takes, too, because the commands that an
    /// inspection suggests have the folder.
    static var folder: OptionTable<Self> {
        [
            .option("-o", .path("DIR"), into: \.output):
                "copy each file and its subtitles into this folder, too, and wait for them; files "
                + "there are never replaced"
        ]
    }

    /// The options that decide about the media, which `inspect` takes, too.
    static var media: OptionTable<Self> {
        [
            .option("--quality", .quality, into: \.choice.quality):
                "the size of the picture, or the sound alone; the nearest one with a note if the "
                + "stream does not have it (default: best, or the one of `offline settings`)",
            .option("--audio", .sound, into: \.choice.audio):
                "keep the sound in these languages, such as en,German (default: all)",
            .option("--subtitles", .subtitles, into: \.choice.subtitles):
                "keep the subtitles in these languages (default: all)",
            .option("--chapters", .chapters, into: \.choice.chapters):
                "keep only these chapters, such as 2-4, or this time, such as "
                + "00:10:00-00:20:00, from the key frame before it on",
            .flag("--live", into: \.isLive):
                "record a live stream, as far as it is still listed and from now on",
            .option("--for", .duration, into: \.recordedTime, with: "--live"):
                "record this much of it, such as 90s, 30m, 2h or 1h30m",
        ]
    }
}

extension ValueKind<QualityChoice> {
    fileprivate static var quality: ValueKind {
        ValueKind(
            placeholder: "best|1080p|audio",
            offered: .words(QualityChoice.usualWords)
        ) { try QualityChoice($0) }
    }
}

extension ValueKind<LanguageChoice> {
    fileprivate static var sound: ValueKind {
        ValueKind(placeholder: "LANG,…", offered: .words(["all"])) {
            try LanguageChoice(ofSound: $0)
        }
    }

    fileprivate static var subtitles: ValueKind {
        ValueKind(placeholder: "LANG,…|all|none", offered: .words(["all", "none"])) {
            try LanguageChoice($0)
        }
    }
}

extension ValueKind<ChapterRange> {
    fileprivate static var chapters: ValueKind {
        ValueKind(placeholder: "FROM-TO") { try ChapterRange($0) }
    }
}
