// SPDX-License-Identifier: Apache-2.0
import OfflineHousehold
import OfflineLibrary
import Tidings
import TidingsHTTP

/// The parsed command line.
struct Arguments: Equatable {
    /// A command with its options.
    enum Command: Equatable {
        case serve(Serve)
        case get(Get)
        case inspect(Get, json: Bool)
        case list(json: Bool, words: String = "", collection: CollectionName? = nil)
        case refresh(RefreshOptions)
        case verify([ItemID], acceptsSubtitles: Bool = false, json: Bool)
        case transfer(TransferCommand.Way, path: String, allowsPrivate: Bool = false)
        case pause([ItemID])
        case stop([ItemID])
        case resume([ItemID])
        case retry([ItemID], at: WebAddress?)
        case remove([ItemID], withFile: Bool)
        case cancel([ItemID])
        case all(CommonAction)
        case move(ItemID, QueuePlace)
        case settings(SettingsCommand.Change)
        case follow(Follow)
        case following(json: Bool, checks: Bool)
        case unfollow([FeedID])
        case keep([ItemID])
        case collections(CollectionsCommand.Action)
        case devices(DevicesCommand.Action)
        case rename(ItemID, title: String)
        case show(ItemID, json: Bool)
        case open(ItemID, inFolder: Bool)
        case completion(CompletionCommand)
        case manual
        case reports(Reports)
        case crash(CrashWay, isConfirmed: Bool)
        /// The name of a command; nil for all.
        case help(String?)
        case version

        /// The word on the command line, for reports.
        var name: String {
            switch self {
            case .serve: "serve"
            case .get: "get"
            case .inspect: "inspect"
            case .list: "list"
            case .refresh: "refresh"
            case .verify: "verify"
            case .transfer(let way, _, _): way == .export ? "export" : "import"
            case .pause: "pause"
            case .stop: "stop"
            case .resume: "resume"
            case .retry: "retry"
            case .remove: "remove"
            case .cancel: "cancel"
            case .all(let action): action.rawValue
            case .move: "move"
            case .settings: "settings"
            case .follow: "follow"
            case .following: "following"
            case .unfollow: "unfollow"
            case .keep: "keep"
            case .collections: "collections"
            case .devices: "devices"
            case .rename: "rename"
            case .show: "show"
            case .open: "open"
            case .completion: "completion"
            case .manual: "manual"
            case .reports: "reports"
            case .crash: "diagnostics crash"
            case .help: "help"
            case .version: "version"
            }
        }

        /// Whether the command creates a missing library; the other commands only read.
        var createsLibrary: Bool {
            switch self {
            case .serve, .get, .refresh, .pause, .stop, .resume, .remove, .settings, .crash, .retry,
                .cancel, .all, .move, .rename, .follow, .following, .unfollow, .keep:
                true
            case .transfer(let way, _, _): way == .import
            case .inspect, .list, .collections, .show, .open, .completion, .manual, .verify,
                .reports, .help,
                .devices, .version:
                false
            }
        }

        /// Whether the command has nothing to do without a library, so that a missing one is a
        /// mistake in its path.
        var needsLibrary: Bool {
            switch self {
            case .list, .show, .open, .verify, .reports, .pause, .stop, .resume, .retry, .remove,
                .cancel, .all, .move, .rename, .following, .unfollow, .keep, .devices,
                .collections:
                true
            case .transfer(let way, _, _): way == .export
            case .serve, .get, .inspect, .refresh, .settings, .follow, .crash, .completion,
                .manual, .help, .version:
                false
            }
        }

        /// Whether the program first prints that the previous run crashed; `serve` does so itself.
        var showsPreviousCrash: Bool {
            switch self {
            case .get, .list, .refresh, .verify, .transfer, .pause, .stop, .resume, .remove,
                .settings, .retry, .cancel, .all, .move, .rename, .follow, .following, .unfollow,
                .keep, .collections:
                true
            case .serve, .inspect, .show, .open, .completion, .manual, .reports, .crash, .help,
                .devices, .version:
                false
            }
        }
    }

    struct Serve: Equatable {
        /// The port to listen on; nil selects the preferred one or the next free one.
        var port: UInt16?
        var allowsPrivateAddresses = false
        var opensBrowser = true
        /// Whether the message bus started the program, by its service file alone.
        var isActivated = false
        /// Whether other devices of the local network can connect.
        var opensToDevices = false
        /// The files of the certificate and its key for encrypted connections of devices.
        var certificateFile: String?
        var keyFile: String?
        /// The server and the space of the household; nil for none.
        var join: HouseholdAddress?
        /// The program to run for each item that becomes ready; nil for none.
        var onReady: String?
        /// Its arguments.
        var onReadyArguments: [String] = []
    }

    struct Get: Equatable {
        /// The addresses, perhaps with text around them.
        var addresses: [String]
        /// The paths of lists of addresses; `-` is the standard input.
        var lists: [String] = []
        /// The folder that gets a copy of each file; nil without one.
        var output: String?
        /// The machine of the household that keeps them, or `any`; nil for this one.
        var machine: String?
        var choice = RequestedChoice()
        /// Whether the command ends with the downloads, also beside a running server.
        var waits = false
        var again = false
        var allowsPrivateAddresses = false
        /// The recording of a live stream; nil without `--live`.
        var live: LiveRecording?
        /// The options of the requests, but their cookies.
        var options = RequestOptions.Texts()
        /// The file with the cookies; nil without one.
        var cookieFile: String?
        /// The browser whose cookies are used; nil for none.
        var cookieBrowser: String?
    }

    /// The library's folder; nil selects the user's own library.
    var library: String?
    /// The destination of reports; nil leaves it to `OFFLINE_SENTRY_DSN`.
    var sentry: String?
    var command: Command

    /// Parses the arguments after the program's name.
    ///
    /// - Throws: `UsageError` with the fault and the correct form.
    init(_ words: [String]) throws(UsageError) {
        var scanner = ArgumentScanner(words)
        library = try scanner.value(of: "--library", named: "DIR")
        guard library != "" else {
            throw UsageError("The folder of --library is empty. Use --library DIR.")
        }
        sentry = try scanner.value(of: "--sentry", named: "DSN")
        if scanner.flag("--help") || scanner.flag("-h") {
            command = try Self.help(&scanner)
            return
        }
        if scanner.flag("--version") {
            command = .version
            return
        }
        command =
            switch scanner.next() {
            case "serve": .serve(try Self.serve(&scanner))
            case "get": .get(try Self.get(&scanner))
            case "inspect": try Self.inspect(&scanner)
            case "list":
                try Self.list(&scanner)
            case "refresh": .refresh(Self.refresh(&scanner))
            case "verify":
                .verify(
                    try Self.numbers(&scanner),
                    acceptsSubtitles: scanner.flag("--accept-subtitles"),
                    json: scanner.flag("--json")
                )
            case "export": .transfer(.export, path: try Self.file(&scanner))
            case "import":
                .transfer(
                    .import,
                    path: try Self.file(&scanner),
                    allowsPrivate: scanner.flag("--allow-private")
                )
            case "pause" where scanner.flag("--all"): .all(.pause)
            case "resume" where scanner.flag("--all"): .all(.resume)
            case "retry" where scanner.flag("--all"): .all(.retry)
            case "pause": .pause(try Self.identifiers(&scanner))
            case "cancel": .cancel(try Self.identifiers(&scanner))
            case "move": try Self.move(&scanner)
            case "stop": .stop(try Self.identifiers(&scanner))
            case "resume": .resume(try Self.identifiers(&scanner))
            case "retry": try Self.retry(&scanner)
            case "remove":
                .remove(try Self.identifiers(&scanner), withFile: scanner.flag("--with-file"))
            case "settings": .settings(try Self.settings(&scanner))
            case "follow": .follow(try Self.follow(&scanner))
            case "following":
                .following(json: scanner.flag("--json"), checks: scanner.flag("--check"))
            case "unfollow": .unfollow(try Self.feeds(&scanner))
            case "keep": .keep(try Self.identifiers(&scanner))
            case "rename":
                .rename(try Self.identifier(&scanner), title: try Self.title(&scanner))
            case "show": .show(try Self.identifier(&scanner), json: scanner.flag("--json"))
            case "open":
                .open(try Self.identifier(&scanner), inFolder: scanner.flag("--folder"))
            case "collections": .collections(try CollectionsCommand.Action(&scanner))
            case "devices": .devices(try DevicesCommand.Action(&scanner))
            case "completion": .completion(try Self.completion(&scanner))
            case "manual": .manual
            case "reports": .reports(try Self.reports(&scanner))
            case "diagnostics": try Self.crash(&scanner)
            case "help", nil: try Self.help(&scanner)
            case let other?: throw UsageError(noCommand: other)
            }
        try scanner.expectEnd(of: command.name)
    }

    private static func help(_ scanner: inout ArgumentScanner) throws(UsageError) -> Command {
        guard let name = scanner.next(), name != "help" else { return .help(nil) }
        guard HelpText(name) != nil else { throw UsageError(noCommand: name) }
        return .help(name)
    }

    private static func serve(_ scanner: inout ArgumentScanner) throws(UsageError) -> Serve {
        var serve = Serve()
        if let text = try scanner.value(of: "--port", named: "NUMBER") {
            guard let port = UInt16(text) else {
                throw UsageError("“\(text)” is not a port. Use a number from 0 to 65535.")
            }
            serve.port = port
        }
        serve.allowsPrivateAddresses = scanner.flag("--allow-private")
        serve.opensBrowser = !scanner.flag("--no-browser")
        serve.isActivated = scanner.flag("--activated")
        try readDeviceOptions(&scanner, &serve)
        serve.join = try household(&scanner)
        serve.onReady = try scanner.value(of: "--on-ready", named: "PROGRAM")
        serve.onReadyArguments = try scanner.values(of: "--on-ready-argument", named: "TEXT")
        guard serve.onReady != nil || serve.onReadyArguments.isEmpty else {
            throw UsageError("--on-ready-argument belongs to a program. Add --on-ready PROGRAM.")
        }
        return serve
    }

    static func get(_ scanner: inout ArgumentScanner) throws(UsageError) -> Get {
        let choice = try choice(&scanner)
        let live = try live(&scanner)
        guard live == nil || choice.chapters == nil else {
            throw UsageError(
                "--chapters keeps a part of a film, and --live records a stream that goes on. Use "
                    + "one of them; --for limits a recording."
            )
        }
        let waits = scanner.flag("--wait")
        let again = scanner.flag("--again")
        let allowsPrivate = scanner.flag("--allow-private")
        let options = try Self.options(&scanner)
        let cookieFile = try scanner.value(of: "--cookies", named: "FILE")
        let browser = try scanner.value(of: "--cookies-from-browser", named: "firefox")
        let lists = try scanner.values(of: "-f", named: "FILE")
        let output = try scanner.value(of: "-o", named: "DIR")
        let machine = try scanner.value(of: "--on", named: "any|NAME")
        var addresses: [String] = []
        while let word = scanner.next() { addresses.append(word) }
        guard !addresses.isEmpty || !lists.isEmpty else {
            throw UsageError("The address is missing. Use: offline get https://…")
        }
        let get = Get(
            addresses: addresses,
            lists: lists,
            output: output,
            machine: machine,
            choice: choice,
            waits: waits || output != nil,
            again: again,
            allowsPrivateAddresses: allowsPrivate,
            live: live,
            options: options,
            cookieFile: cookieFile,
            cookieBrowser: browser
        )
        try get.checkHandover()
        return get
    }

    private static func choice(
        _ scanner: inout ArgumentScanner
    ) throws(UsageError) -> RequestedChoice {
        let quality = try scanner.value(of: "--quality", named: "best|1080p|audio")
        let audio = try scanner.value(of: "--audio", named: "en,de")
        let subtitles = try scanner.value(of: "--subtitles", named: "en,de|all|none")
        let chapters = try scanner.value(of: "--chapters", named: "2-4")
        do {
            return try RequestedChoice(
                quality: quality,
                audio: audio,
                subtitles: subtitles,
                chapters: chapters
            )
        } catch let error as PlaylistError {
            throw UsageError(error.message)
        } catch let error as LibraryError {
            throw UsageError(error.message)
        } catch {
            throw UsageError("The choice cannot be read: \(type(of: error)).")
        }
    }

    static func options(
        _ scanner: inout ArgumentScanner
    ) throws(UsageError) -> RequestOptions.Texts {
        let headers = try scanner.values(of: "--header", named: "'Name: value'")
        return RequestOptions.Texts(
            headers: headers.isEmpty ? nil : headers,
            referrer: try scanner.value(of: "--referrer", named: "https://…"),
            proxy: try scanner.value(of: "--proxy", named: "http://HOST:PORT"),
            checksum: try scanner.value(of: "--checksum", named: "sha256:…"),
            limit: try scanner.value(of: "--limit", named: "2M")
        )
    }

    private static func live(
        _ scanner: inout ArgumentScanner
    ) throws(UsageError) -> LiveRecording? {
        let isLive = scanner.flag("--live")
        guard let text = try scanner.value(of: "--for", named: "2h") else {
            return isLive ? LiveRecording() : nil
        }
        guard isLive else { throw UsageError("--for is the time to record. Add --live to record.") }
        guard let seconds = LiveRecording.seconds(text) else {
            throw UsageError("“\(text)” is not a time. Use a time such as 90s, 30m, 2h or 1h30m.")
        }
        return LiveRecording(seconds: seconds)
    }

    private static func file(_ scanner: inout ArgumentScanner) throws(UsageError) -> String {
        if scanner.flag("-") { return "-" }
        guard let path = scanner.next(), !path.isEmpty else {
            throw UsageError(
                "The file is missing. Use: offline export FILE, or offline import FILE."
            )
        }
        return path
    }

    private static func list(_ scanner: inout ArgumentScanner) throws(UsageError) -> Command {
        let json = scanner.flag("--json")
        let name = try scanner.value(of: "--collection", named: "NAME")
        let collection: CollectionName? =
            if let name { try CollectionsCommand.Action.checked(name) } else { nil }
        return .list(json: json, words: words(&scanner), collection: collection)
    }

    private static func words(_ scanner: inout ArgumentScanner) -> String {
        var words: [String] = []
        while let word = scanner.next() { words.append(word) }
        return words.joined(separator: " ")
    }

    private static func refresh(_ scanner: inout ArgumentScanner) -> RefreshOptions {
        RefreshOptions(
            removeMissing: scanner.flag("--remove-missing"),
            importFiles: scanner.flag("--import"),
            isConfirmed: scanner.flag("--yes")
        )
    }

    private static func completion(
        _ scanner: inout ArgumentScanner
    ) throws(UsageError) -> CompletionCommand {
        guard let shell = scanner.next().flatMap(CompletionCommand.Shell.init) else {
            throw UsageError("The shell is missing. Use: offline completion bash|zsh|fish")
        }
        return CompletionCommand(shell: shell)
    }

    /// Returns the words that are left as one title.
    private static func title(_ scanner: inout ArgumentScanner) throws(UsageError) -> String {
        var words: [String] = []
        while let word = scanner.next() { words.append(word) }
        guard !words.isEmpty else {
            throw UsageError("The title is missing. Use: offline rename NUMBER TITLE")
        }
        return words.joined(separator: " ")
    }

    static func identifiers(
        _ scanner: inout ArgumentScanner
    ) throws(UsageError) -> [ItemID] {
        [try identifier(&scanner)] + (try numbers(&scanner))
    }

    private static func numbers(_ scanner: inout ArgumentScanner) throws(UsageError) -> [ItemID] {
        var ids: [ItemID] = []
        while let text = scanner.next() { ids.append(try identifier(text)) }
        return ids
    }

    static func identifier(_ scanner: inout ArgumentScanner) throws(UsageError) -> ItemID {
        guard let text = scanner.next() else {
            throw UsageError("The item's number is missing. `offline list` shows the numbers.")
        }
        return try identifier(text)
    }

    private static func identifier(_ text: String) throws(UsageError) -> ItemID {
        guard let id = ItemID(text) else {
            throw UsageError("“\(text)” is not an item number. `offline list` shows the numbers.")
        }
        return id
    }
}

/// Thrown for an invalid command line or environment variable.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
