// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineMedia
import OfflineModel
import OfflineSources
import TidingsFiles
import TidingsHTTP
import TidingsLock

/// `offline get`: downloads files and streams.
struct GetCommand {
    private let get: GetOptions
    private let environment: Environment
    private let output: OutputFolder?
    /// The failed items whose addresses lead to feeds.
    private let feeds = FoundFeeds()

    /// The number of entries of a feed that are kept.
    private static let entryCount = 10

    /// - Throws: `UsageError` if the folder of the copies does not exist.
    init(_ get: GetOptions, _ environment: Environment) throws(UsageError) {
        self.get = get
        self.environment = environment
        output = if let path = get.output { try OutputFolder(path) } else { nil }
    }

    func run() async throws -> ExitStatus {
        let list = try AddressList(words: get.addresses, files: get.lists)
        guard get.choice.chapters == nil || list.addresses.count <= 1 else {
            throw UsageError("--chapters belongs to one film. Give one address at a time.")
        }
        let reader = RequestOptionsReader(variables: ProcessInfo.processInfo.environment)
        let options = try reader.options(of: get.requests)
        do {
            try options.check(for: list.addresses)
        } catch {
            throw UsageError(error.message)
        }
        let requests = try list.addresses.map { try get.request($0, options) }
        for fault in list.faults { Terminal.note("offline: " + Terminal.clean(fault)) }
        var status =
            if let machine = get.machine {
                try await MachineHandover(machine, environment).hand(over: requests)
            } else {
                try await download(requests)
            }
        let found = feeds.items.withLock(\.self)
        if !found.isEmpty, status != .interrupted {
            let ofEntries = try await downloadEntries(of: found, options)
            if ofEntries != .success { status = ofEntries }
        }
        return status == .success && !list.faults.isEmpty ? .failure : status
    }

    /// Downloads the newest entries of feeds and removes the feeds' own items.
    private func downloadEntries(
        of feeds: [ItemRepresentation],
        _ options: RequestOptions
    ) async throws -> ExitStatus {
        guard get.choice.chapters == nil else {
            throw UsageError(
                "This address leads to several recordings, and --chapters belongs to one. Use the "
                    + "address of one of them; `offline inspect` lists them."
            )
        }
        var requests: [DownloadRequest] = []
        for feed in feeds {
            let address = try WebAddress(feed.address)
            let inspection = try await environment.inspect(try get.request(address, options))
            for entry in inspection.candidates.prefix(Self.entryCount) {
                var request = try get.request(try WebAddress(entry.address), options)
                request.title = entry.title
                request.picture = entry.picture.flatMap { try? WebAddress($0) }
                requests.append(request)
            }
            // The message explains how to follow the feed.
            Terminal.note(Terminal.clean(inspection.refusal?.message ?? ""))
        }
        guard !requests.isEmpty else { return .failure }
        Terminal.note("Keeping the newest \(requests.count) once.")
        let library = try await LibraryAccess.open(environment)
        for feed in feeds {
            _ = try? await library.call(API.items.remove, .init(feed.id, withFile: false))
        }
        await library.stop()
        return try await download(requests)
    }

    private func download(_ requests: [DownloadRequest]) async throws -> ExitStatus {
        let library: Connection<Library>
        do throws(LibraryError) {
            library = try LibraryAccess.openHere(environment)
        } catch {
            guard error.code == .inUse else { throw error }
            guard let server = await LibraryAccess.runningServer(of: environment.directory) else {
                return try await handOver(requests, because: error.message)
            }
            library = .server(server)
        }
        var items: [ItemRepresentation] = []
        var failures: [any Error] = []
        for (index, request) in requests.enumerated() {
            do {
                items.append(try await library.call(API.items.download, DownloadOrder(request)))
            } catch is HTTPError where library.isServed {
                // The server may have stored the request before the server ended. Sending the
                // request again yields the same item, unless `--again` asks for a new item each
                // time.
                let rest = get.again ? Array(requests[index...]) : requests
                return try await handOver(rest, because: "The running server does not answer.")
            } catch {
                failures.append(error)
            }
        }
        if items.isEmpty, let failure = failures.first { throw failure }
        for failure in failures { Terminal.note(ExitStatus.explanation(of: failure)) }
        let status = try await download(in: library, items)
        return status == .success && !failures.isEmpty ? .failure : status
    }

    /// Stores the requests for the process that has the library open, and waits.
    ///
    /// - Parameters:
    ///   - requests: The requests.
    ///   - reason: Printed if the wait takes longer.
    /// - Returns: The status of the downloads.
    /// - Throws: `LibraryError` if the requests cannot be stored.
    private func handOver(
        _ requests: [DownloadRequest],
        because reason: String
    ) async throws -> ExitStatus {
        let handover = try RequestHandover(requests, environment)
        let display = ProgressDisplay(count: requests.count)
        let outcome = try await Interruption.race {
            try await handover.wait {
                Terminal.note(Terminal.clean(reason))
                Terminal.note(
                    requests.count == 1
                        ? "The address is stored: it downloads now or after that."
                        : "The addresses are stored: they download now or after that."
                )
            } show: {
                display.show($0)
            }
        }
        display.clear()
        switch outcome {
        case .library(let library, let items): return try await download(in: library, items)
        case .ended(let items): return finish(items)
        case nil:
            Terminal.note(
                requests.count == 1
                    ? "Stopped. The address is kept: run the same command to continue."
                    : "Stopped. The addresses are kept: run the same command to continue."
            )
            return .interrupted
        }
    }

    private func download(
        in library: Connection<Library>,
        _ items: [ItemRepresentation]
    ) async throws -> ExitStatus {
        let open = items.filter { $0.state != .ready && $0.state != .failed }
        let status = finish(items.filter { $0.state == .ready || $0.state == .failed })
        if open.isEmpty { return status }
        if library.isServed, !get.waits {
            for item in open { Terminal.note(item.queuedAtServer) }
            return status
        }
        let display = ProgressDisplay(count: open.count)
        let ids = open.map(\.id)
        let areWhole = Lock(true)
        let reasons = Lock<Set<String>>([])
        let ended = try await Interruption.race {
            try await library.follow(ids) { change in
                switch change {
                case .progress(let item):
                    display.show(item)
                    explainWait(of: item, once: reasons)
                case .end(let item):
                    display.clear(item.id)
                    if !finish(item) { areWhole.withLock { $0 = false } }
                    display.draw()
                }
            }
        } ending: { signal in
            try await endsCommand(in: library, ids, on: signal)
        }
        display.clear()
        await library.stop()
        guard ended != nil else {
            if library.isServed {
                for item in open { Terminal.note(item.continuedByServer) }
            } else if open.contains(where: \.isRecording) {
                Terminal.note(
                    "Stopped. The recorded part is kept: run the same command to record on, which "
                        + "leaves a gap."
                )
            } else {
                Terminal.note("Stopped. The data is kept: run the same command to continue.")
            }
            return .interrupted
        }
        return areWhole.withLock(\.self) ? status : .failure
    }

    /// Prints why a queued item waits.
    ///
    /// A terminal shows the reason with the progress instead.
    private func explainWait(
        of item: ItemRepresentation,
        once reasons: borrowing Lock<Set<String>>
    ) {
        guard !Terminal.isInteractive, item.state == .queued, let reason = item.waiting,
            reasons.withLock({ $0.insert(reason).inserted })
        else { return }
        Terminal.note(Terminal.clean(reason))
    }

    /// Returns false if the signal ends recordings instead of the command.
    private func endsCommand(
        in library: Connection<Library>,
        _ ids: [ItemID],
        on signal: Int32
    ) async throws -> Bool {
        guard signal == SIGINT, get.live != nil, !library.isServed else { return true }
        var hasStopped = false
        for id in ids {
            do {
                try await library.call(API.items.stop, id)
                hasStopped = true
            } catch let error as LibraryError where error.code == .notRecording {
                continue
            }
        }
        guard hasStopped else { return true }
        Terminal.note("The recording has stopped. Its file is being made; Ctrl-C again ends that.")
        return false
    }

    private func finish(_ items: [ItemRepresentation]) -> ExitStatus {
        // Every item is shown, even after one that failed.
        items.map(finish).allSatisfy(\.self) ? .success : .failure
    }

    /// Shows the end of an item and returns whether the file is where the user wants it.
    private func finish(_ item: ItemRepresentation) -> Bool {
        if let note = item.note { Terminal.note(Terminal.clean(note)) }
        guard item.state == .ready, let name = item.fileName else {
            if item.error?.code == DownloadError.Code.feed.description {
                feeds.items.withLock { $0.append(item) }
                return true
            }
            explain(item)
            return false
        }
        let path = environment.directory.mediaFile(name)
        do throws(SystemError) {
            Terminal.print(try output?.copy(name, of: environment.directory) ?? path)
            return true
        } catch {
            Terminal.note(
                Terminal.clean(
                    "offline: The file could not be copied: \(error.descriptionWithPath). "
                        + "It is complete in your library: \(path)"
                )
            )
            return false
        }
    }

    private func explain(_ item: ItemRepresentation) {
        let message = item.error?.message ?? "The download failed. Run the same command again."
        // A message may list several addresses, each in a separate line.
        let lines = message.split(whereSeparator: \.isNewline).map {
            Terminal.clean(String($0))
        }
        Terminal.note("offline: " + lines.joined(separator: "\n"))
        // The item does not store the folder, so the user has to repeat the option.
        if item.error?.code == "several", output != nil {
            Terminal.note("Add the same -o to the command.")
        }
        if item.state == .paused {
            Terminal.note("The data is kept: run the same command to continue.")
        }
    }
}

/// The feeds among the addresses of a command.
private final class FoundFeeds: Sendable {
    let items = Lock<[ItemRepresentation]>([])
}
