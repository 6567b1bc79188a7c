import OfflineLibrary
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// What a person typed, as a value.
struct Arguments: Equatable {
    /// One thing that the program does.
    enum Command: Equatable {
        case serve(Serve)
        case get(Get)
        case list(json: Bool)
        case refresh(RefreshOptions)
        case remove(ItemID, withFile: Bool)
        case reports(Reports)
        case crash(CrashWay, isConfirmed: Bool)
        case help
        case version

        /// Whether it makes a library where there is none; the others only look.
        var makesLibrary: Bool {
            switch self {
            case .serve, .get, .refresh, .remove, .crash: true
            case .list, .reports, .help, .version: false
            }
        }

        /// Whether it says first that the run before it crashed; a server says it by itself.
        var tellsOfCrash: Bool {
            switch self {
            case .get, .list, .refresh, .remove: true
            case .serve, .reports, .crash, .help, .version: false
            }
        }
    }

    struct Serve: Equatable {
        /// Nil: the usual port, or the next free one.
        var port: UInt16?
        var allowsPrivateAddresses = false
        var opensBrowser = true
    }

    struct Get: Equatable {
        var address: String
        var rendition = RenditionChoice.best
        var waits = false
        var again = false
        var allowsPrivateAddresses = false
    }

    /// Nil for the person's own library.
    var library: String?
    /// Where reports may be sent; nil leaves it to the environment.
    var sentry: String?
    var command: Command

    /// Reads the arguments that follow the program's name.
    ///
    /// - Throws: `UsageError` with a text that says what to type instead.
    init(_ words: [String]) throws(UsageError) {
        var scanner = ArgumentScanner(words)
        library = try scanner.value(of: "--library", named: "DIR")
        guard library != "" else { throw UsageError("--library needs a folder: --library DIR") }
        sentry = try scanner.value(of: "--sentry", named: "DSN")
        if scanner.flag("--help") || scanner.flag("-h") {
            command = .help
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
            case "list": .list(json: scanner.flag("--json"))
            case "refresh": .refresh(Self.refresh(&scanner))
            case "remove":
                .remove(try Self.identifier(&scanner), withFile: scanner.flag("--with-file"))
            case "reports": .reports(try Self.reports(&scanner))
            case "diagnostics": try Self.crash(&scanner)
            case "help", nil: .help
            case let other?: throw UsageError("There is no command “\(other)”.")
            }
        try scanner.expectEnd()
    }

    private static func serve(_ scanner: inout ArgumentScanner) throws(UsageError) -> Serve {
        var serve = Serve()
        if let text = try scanner.value(of: "--port", named: "NUMBER") {
            guard let port = UInt16(text) else {
                throw UsageError("“\(text)” is not a port; give a number from 0 to 65535.")
            }
            serve.port = port
        }
        serve.allowsPrivateAddresses = scanner.flag("--allow-private")
        serve.opensBrowser = !scanner.flag("--no-browser")
        return serve
    }

    private static func get(_ scanner: inout ArgumentScanner) throws(UsageError) -> Get {
        var rendition = RenditionChoice.best
        if let text = try scanner.value(of: "--rendition", named: "best|720p") {
            do {
                rendition = try RenditionChoice(text)
            } catch {
                throw UsageError(error.message)
            }
        }
        let waits = scanner.flag("--wait")
        let again = scanner.flag("--again")
        let allowsPrivate = scanner.flag("--allow-private")
        guard let address = scanner.next() else {
            throw UsageError("Give the address to keep: offline get https://…")
        }
        return Get(
            address: address,
            rendition: rendition,
            waits: waits,
            again: again,
            allowsPrivateAddresses: allowsPrivate
        )
    }

    private static func refresh(_ scanner: inout ArgumentScanner) -> RefreshOptions {
        RefreshOptions(
            removeMissing: scanner.flag("--remove-missing"),
            importFiles: scanner.flag("--import"),
            isConfirmed: scanner.flag("--yes")
        )
    }

    private static func identifier(_ scanner: inout ArgumentScanner) throws(UsageError) -> ItemID {
        guard let text = scanner.next() else {
            throw UsageError("Give the item's number; `offline list` shows it.")
        }
        guard let id = ItemID(text) else {
            throw UsageError("“\(text)” is not an item's number; `offline list` shows them.")
        }
        return id
    }
}

/// Something that the program cannot be asked in this form.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
